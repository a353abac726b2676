"""Second visits: the calendar of pages that are due, and URLs and hosts that get another chance.

May import `directory`, `order.note`, `engine.hooks`, and the layers below crawl.
"""
