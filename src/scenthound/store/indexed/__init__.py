"""The store of the lab: the specification of `store/memory` with indexes beside its data, so that no verb of a turn
searches.
"""
