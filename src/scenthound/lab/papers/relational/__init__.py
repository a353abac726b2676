"""RELATIONAL §3.8: what the database makes of classification and distillation, fig. 8. Times are measured, so no two runs agree."""
