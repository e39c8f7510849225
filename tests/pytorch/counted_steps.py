"""The steps that a program counted and stamped itself, against those of the report and the log, independent of times.

    counted = CountedSteps(runs, "recorded")      # a way of scenario_runs.py
    counted.by_program, counted.in_report         # numbers of steps, on the rank with the fewest
"""

from __future__ import annotations

import bisect

MOST_MORE = 1.0  # steps in the log beside the wanted ones
# At either end of a window, each thread that trains beside the first is in a step of its own. It may be the next to end,
# so it is recorded.
MOST_OF_OTHER_THREADS = 2.0


class CountedSteps:
    def __init__(self, runs, way):
        self.run = runs[way]
        self.logs = {max(0, log.rows["process"][0]["rank"]): log for log in self.run.read_logs()}
        self.stamps = {rank: stamped_steps(runs.phases(rank, way)) for rank in self.logs}
        self.reported = {rank: self.run.report("--ranks", str(rank))["steps"] for rank in self.logs}

    @property
    def by_program(self):
        """{rank: steps}"""
        return {rank: len(steps) for rank, steps in self.stamps.items()}

    @property
    def in_report(self):
        """{rank: steps}"""
        return {rank: steps["count"] + steps["warmup"] for rank, steps in self.reported.items()}

    @property
    def origins(self):
        return {steps["origin"] for steps in self.reported.values()}

    def threads(self, rank):
        """Those that train."""
        return {step["thread"] for step in self.stamps[rank]}

    def launches(self, rank):
        """For each step of the program: how many launches the log has of it. Where several threads train side by side,
        only those of the step's own thread can be told from the others'."""
        rows = self.logs[rank].rows
        os_ids = {row["thread"]: row["os_id"] for row in rows["thread"]}
        are_several = len(self.threads(rank)) > 1
        launches = {}
        for call in rows["call"]:
            if "aunch" in call["function"]:
                launches.setdefault(os_ids[call["thread"]] if are_several else None, []).append(call["start"])
        for starts in launches.values():
            starts.sort()

        def within(step):
            starts = launches.get(step["thread"] if are_several else None, [])
            return bisect.bisect_right(starts, step["end_ns"]) - bisect.bisect_left(starts, step["begin_ns"])

        return [within(step) for step in self.stamps[rank]]


def stamped_steps(lines):
    return sorted((line for line in lines if line["phase"] == "step"), key=lambda line: line["end_ns"])


def faults_of_window(counted, whole, first, count):
    """The faults in the recording of these steps, as sentences. `whole`: of a recording of all steps."""
    wanted = range(first, first + count)
    faults = []
    for rank, reported in counted.in_report.items():
        if reported != count:
            faults.append(f"rank {rank}: the report has {reported} steps, not {count}")
        launches = counted.launches(rank)
        missing = [number for number in wanted if launches[number] == 0]
        if missing:
            faults.append(f"rank {rank}: the log lacks steps {missing}")
        more = sum(min(1, has / of) for number, (has, of) in enumerate(zip(launches, whole.launches(rank)))
                   if number not in wanted and of > 0)
        if more > MOST_MORE + MOST_OF_OTHER_THREADS * (len(counted.threads(rank)) - 1):
            faults.append(f"rank {rank}: the log has {more:.1f} steps more")
    return faults
