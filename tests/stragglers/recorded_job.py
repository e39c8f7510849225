"""Recorded training jobs on simulated devices with injected stragglers, and the verdict of their reports.

Steps take about 300 ms of device time and little host time, so the late wake-ups of a busy machine stay small compared
with what is injected. They do not vanish, though: if the machine keeps a rank from its CPU, the report rightly names
that rank. So the injected culprits must come first, with their causes, and any other rank that is named may be blamed
for no more than the machine is known to have done: see `Verdict.unjust`.
"""

from __future__ import annotations

import pathlib
import sqlite3
import subprocess
import sys
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "capture"))

from recorded_run import RecordedRun, program, tauprof, training  # noqa: E402

BASE = "--loss-every 1"
STRETCHED = "time_scale=18"
STEPS = 10
# Ranks 2 and 3 are moved to a host whose clock is five seconds ahead and gains, and whose wall clock is wrong too.
OTHER_HOST = ("--host", "elsewhere", "--offset", "5", "--drift", "40", "--wall-clock-error", "-1.5")
FIRST_ON_OTHER_HOST = 2
# The report names a rank only if it costs at least this share of all ranks' time.
LEAST_SHARE = 0.01
CONTENTION = "cpu_contention"


@dataclass
class Job:
    workload: str = ""
    options: str = ""  # of the simulator
    ranks: int = 4
    steps: int = STEPS


def record(recorder, job):
    run = recorder.run(training(f"{BASE} --steps {job.steps} {job.workload}", job.ranks),
                       options=",".join(filter(None, [STRETCHED, job.options])))
    assert run.status == 0, run.errors
    assert run.errors == ""
    return run


def on_two_hosts(run, folder):
    """The same run, as if its last ranks had been on a host with a different clock."""
    folder.mkdir()
    for path, log in zip(run.log_files(), run.read_logs()):
        rank = log.rows["process"][-1]["rank"]
        clock = OTHER_HOST if rank >= FIRST_ON_OTHER_HOST else ()
        done = subprocess.run([program("TAUPROF_REWRITE_CLOCK"), str(path), str(folder / path.name), *clock],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return RecordedRun(run.status, run.output, run.errors, folder, run.truth)


def exported_blame(run, path, *options):
    """{(late rank, cause): ns}, as the table `blame` of an export says"""
    done = tauprof("export", str(run.logs), "-f", "sqlite", "-o", str(path), *options)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(path) as database:
        return {(rank, cause): ns for rank, cause, ns in
                database.execute("SELECT late_rank, cause, sum(ns) FROM blame WHERE late_rank IS NOT NULL GROUP BY 1, 2")}


def waits_for_cpu(run):
    """{rank: how long its threads were runnable without a CPU, as the kernel told the recorder}"""
    waits = {}
    for log in run.read_logs():
        readings = [row["value"] for row in log.rows["telemetry"] if row["metric"] == "cpu_wait_ns"]
        waits[log.rows["process"][-1]["rank"]] = readings[-1] - readings[0] if readings else 0
    return waits


class Verdict:
    """The report's verdict on stragglers."""

    def __init__(self, run):
        self.report = run.report()
        self.stragglers = self.report["stragglers"]
        self.found = self.stragglers["found"]
        self.run = run

    def first(self, culprits):
        """{rank: the cause of most of its blame} for the costliest ranks, as many as there are culprits. CPU contention
        is ignored unless it was injected, because other work on the machine causes it."""
        is_contended = CONTENTION in culprits.values()
        causes = {}
        for row in self.found[:len(culprits)]:
            blamed = {cause: ns for cause, ns in row["blamed_ns_by_cause"].items()
                      if is_contended or cause != CONTENTION}
            causes[row["rank"]] = max(blamed, key=blamed.get, default=CONTENTION)
        return causes

    def unjust(self, culprits=()):
        """Rows of other ranks that are blamed for more than the machine's doing: each waiting rank may have lost as long
        as the blamed rank waited for a CPU, and a cost below the report's own limit does not count."""
        waits = waits_for_cpu(self.run)
        ranks = len(self.stragglers["ranks"])
        total = sum(row["step_ns"] for row in self.report["per_rank"])
        return [row for row in self.found if row["rank"] not in culprits and
                row["blamed_ns"] > (ranks - 1) * waits[row["rank"]] + LEAST_SHARE * total]
