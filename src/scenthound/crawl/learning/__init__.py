"""What a crawl learns by itself: archetypes, and the phase in which it looks for them (BINGO §2.6, §3.2).

`learnt_note` is what the store remembers, `archetype_choice` the rule, `archetype_rounds` when it is applied, and
`crawl_phase` the phase. May import `critic.example_set` and the layers below crawl.
"""
