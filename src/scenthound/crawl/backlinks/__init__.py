"""Links followed backwards: sources that name pages citing a good page, and the hook that asks them.

May import `steps` and `hooks` of the engine, and the layers below crawl.
"""
