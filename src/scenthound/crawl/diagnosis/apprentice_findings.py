"""Findings about an apprentice whose forecasts do not come true."""

from collections.abc import Sequence
from typing import Final

from scenthound.counted import count
from scenthound.crawl.diagnosis.cures import finding, setting_command
from scenthound.crawl.order.forecasts import Forecast, Tenth, error_by_chance, in_tenths, leads, record_of
from scenthound.events import Finding, FindingKind

FEWEST: Final = 100  # links that must have been chosen
# Calibration error above which forecasts mislead. Two hundred right ones, all over the scale, hardly ever reach 0.14.
WRONG: Final = 0.15


def poor_forecasts(path: str, forecasts: Sequence[Forecast], *, order: str, lead: float | None) -> Finding | None:
    """Say that the apprentice is wrong about what it chooses, by more than chance explains."""
    tenths = in_tenths(forecasts)
    record = record_of(tenths)
    if record is None or record.links < FEWEST:
        return None
    error = record.calibration_error or 0.0
    if error <= max(WRONG, error_by_chance(tenths)):
        return None
    evidence = [
        f"calibration error {error:.3f} over the last {count(record.links, 'link')} that it chose",
        _worst(tenths),
    ]
    evidence += [leads(lead)] if lead is not None else []
    return finding(
        FindingKind.POOR_FORECASTS,
        f"the apprentice is wrong about links: of the last {record.links} links {record.expected:.2f} was expected and "
        f"{record.came:.2f} came; let best-first choose, and see whether the topics say what you want",
        evidence,
        setting_command(path, "crawl.order=best-first"),
        setting_command(path, f"crawl.order={order}"),
    )


def _worst(tenths: Sequence[Tenth]) -> str:
    worst = max(tenths, key=lambda tenth: abs(tenth.expected - tenth.came))
    expected, came = worst.expected / worst.links, worst.came / worst.links
    return f"it is furthest off with {count(worst.links, 'link')} of which it expected {expected:.2f}: {came:.2f} came"
