"""Whose company topics keep: which topics cite which, against chance. May import store and services/sql."""
