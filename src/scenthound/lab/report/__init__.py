"""The report of an experiment: one HTML page that needs nothing but itself, and each of its plots as SVG and PNG."""

from scenthound.lab.report.report_page import PLOTS_MISSING, can_plot, write_report

__all__ = ["PLOTS_MISSING", "can_plot", "write_report"]
