"""The phases of a script by its own time stamps.

Stamps may nest (a closure's inside the optimizer's): the innermost one counts. Time that the script does not stamp, such
as Python between two stamps, may be of any phase.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Interval:
    start: int
    end: int
    phase: str | None  # None: not stamped


class StampedRun:
    """The stamps of a rank."""

    def __init__(self, lines):
        self.steps = {line["step"]: line for line in lines if line["phase"] == "step"}
        self.intervals = innermost([line for line in lines if line["phase"] != "step"])

    def duration(self, step):
        """Up to the start of the next one."""
        return self.steps[step + 1]["begin_ns"] - self.steps[step]["begin_ns"]

    def phases(self, step):
        """{phase: its time in the step}; None: the time without a stamp."""
        start, end = self.steps[step]["begin_ns"], self.steps[step + 1]["begin_ns"]
        totals = {None: end - start}
        for interval in self.intervals:
            length = min(interval.end, end) - max(interval.start, start)
            if length > 0 and interval.phase is not None:
                totals[interval.phase] = totals.get(interval.phase, 0) + length
                totals[None] -= length
        return totals


def innermost(lines):
    times = sorted({line[end] for line in lines for end in ("begin_ns", "end_ns")})
    lines = sorted(lines, key=lambda line: (line["begin_ns"], -line["end_ns"]))
    intervals, open_, following = [], [], 0
    for start, end in zip(times, times[1:]):
        while following < len(lines) and lines[following]["begin_ns"] <= start:
            open_.append(lines[following])
            following += 1
        open_ = [line for line in open_ if line["end_ns"] > start]
        intervals.append(Interval(start, end, open_[-1]["phase"] if open_ else None))
    return intervals
