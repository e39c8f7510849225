"""The steps that a program counted and stamped itself, against those of the report and the log, independent of times.

    counted = CountedSteps(runs, "recorded")      # a way of scenario_runs.py
    counted.by_program, counted.in_report         # numbers of steps, on the rank with the fewest
"""

from __future__ import annotations


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

    def whole_in_log(self, rank):
        """The steps of the program, numbered from 0, that lie between the first and the last call of the log."""
        calls = self.logs[rank].rows["call"]
        first, last = min(call["start"] for call in calls), max(call["start"] + call["duration"] for call in calls)
        return [number for number, step in enumerate(self.stamps[rank]) if first <= step["begin_ns"]
                and step["end_ns"] <= last]

    def touched_by_log(self, rank):
        """The steps of the program, numbered from 0, in which a kernel was launched that the log has."""
        launches = [call["start"] for call in self.logs[rank].rows["call"] if "aunch" in call["function"]]
        return [number for number, step in enumerate(self.stamps[rank])
                if any(step["begin_ns"] <= launch <= step["end_ns"] for launch in launches)]


def stamped_steps(lines):
    return sorted((line for line in lines if line["phase"] == "step"), key=lambda line: line["end_ns"])


def faults_of_window(counted, first, count):
    """What is wrong with the recording of these steps, as sentences."""
    wanted = set(range(first, first + count))
    faults = []
    for rank, reported in counted.in_report.items():
        if reported != count:
            faults.append(f"rank {rank}: the report has {reported} steps, not {count}")
        touched = set(counted.touched_by_log(rank))
        if not wanted <= touched:
            faults.append(f"rank {rank}: the log lacks steps {sorted(wanted - touched)}")
        whole = counted.whole_in_log(rank)
        if len(whole) > count + 1:
            faults.append(f"rank {rank}: the log has {len(whole)} whole steps for {count}")
    return faults
