"""The critic at work in a crawl: its examples, stages and versions, and the judgement of each batch.

`at_work` has the protocol that the engine and the order use. How a critic learns and judges is in `scenthound.judge`.
May import `readers`, `directory`, `order.priority_moves` and the layers below crawl, and of the engine only `steps` and
`hooks`.
"""
