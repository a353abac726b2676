"""Saved questions: they run by a schedule, and new answers are sent to the reader."""
