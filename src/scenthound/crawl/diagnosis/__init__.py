"""The diagnosis of a crawl: findings about its topics, its work and its apprentice, and the commands that help.

The rules are pure; `advice` is the hook that asks them now and then. May import `order.forecasts`, `order.note`,
`engine.hooks`, and the layers below crawl. `status` imports it, so it must stay light.
"""
