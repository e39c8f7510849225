"""Training jobs on simulated devices, recorded, in which something goes wrong, and what their report says of it.

Steps take about 300 ms of device time and little of the host's, so that a busy machine's late wake-ups stay small
beside what is injected. They are not nothing, though: where the machine keeps a rank from its CPU, the report is right
to name that rank. So the injected culprits must stand first, with their causes; whoever else is named may be blamed for
no more than the machine is known to have done: see `Verdict.unjust`.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "capture"))

from recorded_run import RecordedRun, program, training  # noqa: E402

BASE = "--loss-every 1"
STRETCHED = "time_scale=18"
STEPS = 10
# Ranks 2 and 3 on a host whose clock is five seconds ahead and gains, and whose wall clock is wrong as well.
OTHER_HOST = ("--host", "elsewhere", "--offset", "5", "--drift", "40", "--wall-clock-error", "-1.5")
FIRST_ON_OTHER_HOST = 2
# What the report names at all: a rank that costs so much of all ranks' time.
LEAST_SHARE = 0.01
CONTENTION = "cpu_contention"


@dataclass
class Job:
    workload: str = ""
    options: str = ""  # the simulator's
    ranks: int = 4
    steps: int = STEPS


def record(recorder, job):
    run = recorder.run(training(f"{BASE} --steps {job.steps} {job.workload}", job.ranks),
                       options=",".join(filter(None, [STRETCHED, job.options])))
    assert run.status == 0, run.errors
    assert run.errors == ""
    return run


def on_two_hosts(run, folder):
    """The same run, as if its later ranks had been on a host with another clock."""
    folder.mkdir()
    for path, log in zip(run.log_files(), run.read_logs()):
        rank = log.rows["process"][-1]["rank"]
        clock = OTHER_HOST if rank >= FIRST_ON_OTHER_HOST else ()
        done = subprocess.run([program("TAUPROF_REWRITE_CLOCK"), str(path), str(folder / path.name), *clock],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return RecordedRun(run.status, run.output, run.errors, folder, run.truth)


def waits_for_cpu(run):
    """Of each rank: how long its threads were ready to run, without a CPU; as the kernel told the recorder."""
    waits = {}
    for log in run.read_logs():
        readings = [row["value"] for row in log.rows["telemetry"] if row["metric"] == "cpu_wait_ns"]
        waits[log.rows["process"][-1]["rank"]] = readings[-1] - readings[0] if readings else 0
    return waits


class Verdict:
    """What the report says of stragglers."""

    def __init__(self, run):
        self.report = run.report()
        self.stragglers = self.report["stragglers"]
        self.found = self.stragglers["found"]
        self.run = run

    def first(self, culprits):
        """As many ranks as there are culprits, the costliest, each with the cause behind most of its blame. What the
        machine did to them by its other work, contention for CPUs, is set aside where none was injected."""
        is_contended = CONTENTION in culprits.values()
        causes = {}
        for row in self.found[:len(culprits)]:
            blamed = {cause: ns for cause, ns in row["blamed_ns_by_cause"].items() if is_contended or cause != CONTENTION}
            causes[row["rank"]] = max(blamed, key=blamed.get, default=CONTENTION)
        return causes

    def unjust(self, culprits=()):
        """Rows of the others that blame more than the machine did to them: every waiting rank may have lost as long as
        the blamed one waited for a CPU, and a cost below what the report would name is nothing."""
        waits = waits_for_cpu(self.run)
        ranks = len(self.stragglers["ranks"])
        total = sum(row["step_ns"] for row in self.report["per_rank"])
        return [row for row in self.found if row["rank"] not in culprits and
                row["blamed_ns"] > (ranks - 1) * waits[row["rank"]] + LEAST_SHARE * total]
