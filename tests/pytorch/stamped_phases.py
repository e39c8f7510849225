"""The phases of a script by its own time stamps, in the report's terms.

The report knows host time by calls: the time between two calls belongs to the next one (docs/phases.md), so work without
any call is not visible by itself. The stamps are read the same way. Time outside stamped phases, and a stamped phase
without a call in it (gradients set to None, a learning-rate schedule), count for the next phase; before an input copy
that is dataload_wait. The same applies to the ends of `other` and `optim_step` after their last call (writing a
checkpoint that has been read back, freeing lists of parameters). Backward starts with the gradient of the loss: scaling
the loss before that belongs to forward, whichever line does it. Nothing else is moved.

Example: | is a call; stamps are above, the phases compared are below:

    optim_step            zero_grad_sched  (between)  dataload_wait   h2d    forward            backward
      |  |  |                                                      |  |     |  |  |  |        scale |  gradient |  |  |
    optim_step dataload_wait   …           …          …               h2d    forward                 backward
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import NamedTuple

HOST_CALLS = ("call", "gemm", "collective")
ENDS_WITH_ITS_LAST_CALL = ("other", "optim_step")
GRADIENT_OF_THE_LOSS = "FillFunctor"


@dataclass
class Interval:
    start: int
    end: int
    phase: str | None  # None: that of the next interval


class Call(NamedTuple):
    start: int
    end: int
    kernel: str  # the kernel that it launched, or ""


def launching_calls(log):
    """The calls of threads that launch device work, by start."""
    calls = [row for kind in HOST_CALLS for row in log.rows[kind]]
    launched = {row["correlation"]: row["name"] if row["activity"] == "kernel" else ""
                for row in log.rows["device_activity"]}
    threads = {row["thread"] for row in calls if row["correlation"] in launched}
    return sorted(Call(row["start"], row["start"] + row["duration"], launched.get(row["correlation"], ""))
                  for row in calls if row["thread"] in threads)


class StampedRun:
    """The stamps of a rank together with its log."""

    def __init__(self, lines, log):
        self.steps = {line["step"]: line for line in lines if line["phase"] == "step"}
        self.calls = launching_calls(log)
        self.starts = [call.start for call in self.calls]
        self.intervals = self._as_reported(_innermost([line for line in lines if line["phase"] != "step"]))

    def phases(self, first, last):
        """Over steps `first` to `last`: {phase: mean time per step}, and the mean duration of a step."""
        start, end = self.steps[first]["begin_ns"], self.steps[last + 1]["begin_ns"]
        steps = last + 1 - first
        totals = {}
        for interval in self.intervals:
            length = min(interval.end, end) - max(interval.start, start)
            if length > 0:
                totals[interval.phase] = totals.get(interval.phase, 0) + length
        return {phase: total / steps for phase, total in totals.items()}, (end - start) / steps

    def start_of(self, step):
        """When the last call before the step ended: all later time belongs to the step."""
        before = bisect.bisect_left(self.starts, self.steps[step]["begin_ns"])
        return max(call.end for call in self.calls[:before])

    def _calls_in(self, interval):
        return self.calls[bisect.bisect_left(self.starts, interval.start):bisect.bisect_left(self.starts, interval.end)]

    def _as_reported(self, intervals):
        result = [part for interval in intervals for part in self._parts(interval, self._calls_in(interval))]
        following = None
        for interval in reversed(result):
            if interval.phase is None:
                interval.phase = "dataload_wait" if following == "h2d" else following
            following = interval.phase
        return result

    @staticmethod
    def _parts(interval, calls):
        if interval.phase in ENDS_WITH_ITS_LAST_CALL and calls:
            last = min(interval.end, max(call.end for call in calls))
            return [Interval(interval.start, last, interval.phase), Interval(last, interval.end, None)]
        if interval.phase == "backward" and (scaled := _scaled(calls)):
            return [Interval(interval.start, scaled, "forward"), Interval(scaled, interval.end, "backward")]
        is_seen = calls or interval.phase == "dataload_wait"
        return [Interval(interval.start, interval.end, interval.phase if is_seen else None)]


def _scaled(calls):
    """When the scaling of the loss ended, before its gradient; 0: it was not scaled."""
    gradient = next((at for at, call in enumerate(calls) if GRADIENT_OF_THE_LOSS in call.kernel), 0)
    return max((call.end for call in calls[:gradient] if call.kernel), default=0)


def _innermost(lines):
    """Stamps may nest (a closure's inside the optimizer's): the innermost one counts."""
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
