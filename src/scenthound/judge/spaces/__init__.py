"""Feature spaces and the critic that lets several of them vote (BINGO §3.4–3.5): views of a page, and `meta`.

May import what `judge` may.
"""
