"""What a script's own time stamps say of its phases, in the terms of the report.

Host time is known by calls: between two of them, the report gives it to what comes next (docs/phases.md). So what a
script does without any call cannot be seen by itself. The stamps are read the same way: time outside of stamped phases,
and a stamped phase without a call in it (clearing gradients by forgetting them, a learning-rate schedule), count for
what follows; in front of an input copy that is dataload_wait. The same goes for the ends of `other` and `optim_step` behind
their last call (writing a checkpoint that has been read back, forgetting the lists of parameters). Backward begins with
the loss's own gradient: what scales the loss before is forward's, whichever line does it. Nothing else is moved.

Example, | a call, stamps above, what is compared below:

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
    begin: int
    end: int
    phase: str | None  # None: what comes next decides


class Call(NamedTuple):
    start: int
    end: int
    kernel: str  # what it launched, or ""


def launching_calls(log):
    """The calls of threads that launch something, by start."""
    calls = [row for kind in HOST_CALLS for row in log.rows[kind]]
    launched = {row["correlation"]: row["name"] if row["activity"] == "kernel" else ""
                for row in log.rows["device_activity"]}
    threads = {row["thread"] for row in calls if row["correlation"] in launched}
    return sorted(Call(row["start"], row["start"] + row["duration"], launched.get(row["correlation"], ""))
                  for row in calls if row["thread"] in threads)


class StampedRun:
    """The stamps of a rank, beside its log."""

    def __init__(self, lines, log):
        self.steps = {line["step"]: line for line in lines if line["phase"] == "step"}
        self.calls = launching_calls(log)
        self.starts = [call.start for call in self.calls]
        self.intervals = self._as_reported(_innermost([line for line in lines if line["phase"] != "step"]))

    def phases(self, first, last):
        """Mean time of each phase in a step, of these steps and those between, and of a whole step."""
        begin, end = self.steps[first]["begin_ns"], self.steps[last + 1]["begin_ns"]
        steps = last + 1 - first
        totals = {}
        for interval in self.intervals:
            length = min(interval.end, end) - max(interval.begin, begin)
            if length > 0:
                totals[interval.phase] = totals.get(interval.phase, 0) + length
        return {phase: total / steps for phase, total in totals.items()}, (end - begin) / steps

    def begins(self, step):
        """When the step's last call before it ended: from then on, all is the step's."""
        before = bisect.bisect_left(self.starts, self.steps[step]["begin_ns"])
        return max(call.end for call in self.calls[:before])

    def _calls_in(self, interval):
        return self.calls[bisect.bisect_left(self.starts, interval.begin):bisect.bisect_left(self.starts, interval.end)]

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
            return [Interval(interval.begin, last, interval.phase), Interval(last, interval.end, None)]
        if interval.phase == "backward" and (scaled := _scaled(calls)):
            return [Interval(interval.begin, scaled, "forward"), Interval(scaled, interval.end, "backward")]
        is_seen = calls or interval.phase == "dataload_wait"
        return [Interval(interval.begin, interval.end, interval.phase if is_seen else None)]


def _scaled(calls):
    """When the loss had been scaled, before its gradient; 0: it was not."""
    gradient = next((at for at, call in enumerate(calls) if GRADIENT_OF_THE_LOSS in call.kernel), 0)
    return max((call.end for call in calls[:gradient] if call.kernel), default=0)


def _innermost(lines):
    """Stamps may lie in each other (a closure's, in the optimizer's): the inner ones count."""
    times = sorted({line[end] for line in lines for end in ("begin_ns", "end_ns")})
    lines = sorted(lines, key=lambda line: (line["begin_ns"], -line["end_ns"]))
    intervals, open_, following = [], [], 0
    for begin, end in zip(times, times[1:]):
        while following < len(lines) and lines[following]["begin_ns"] <= begin:
            open_.append(lines[following])
            following += 1
        open_ = [line for line in open_ if line["end_ns"] > begin]
        intervals.append(Interval(begin, end, open_[-1]["phase"] if open_ else None))
    return intervals
