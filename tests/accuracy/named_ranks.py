"""Whom the report names in a job of drawn_jobs.py, and the jobs that have somebody to name."""

from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile

from drawn_jobs import draw_job

GROUP = (0, 1, 2, 3)
# (shape, the ranks at fault, cause, how much)
CULPRITS = [
    ("data parallel", (2,), "slow_compute", 0.2),
    ("data parallel", (1,), "input_copy", 30),
    ("data parallel", (3,), "data_wait", 4_000),
    ("eight ranks", GROUP, "slow_compute", 0.2),
    ("eight ranks", GROUP, "input_copy", 30),
    ("pipeline", (1,), "slow_compute", 0.2),
    ("pipeline, replicas", (1,), "slow_compute", 0.2),
    ("pipeline, replicas", (3,), "slow_compute", 0.2),
    ("pipeline, replicas", (1,), "input_copy", 30),
    ("pipeline, tensor groups", (4, 5, 6, 7), "slow_compute", 0.2),
    ("pipeline, tensor groups", (5,), "slow_compute", 0.2),
    ("grid", (5,), "slow_link", 4),
    ("grid", (4, 5, 6, 7), "slow_compute", 0.2),
    ("experts", (3,), "more_tokens", 0.5),
    ("experts", (1,), "slow_compute", 0.3),
    ("experts", (2,), "input_copy", 30),
]


def told_of(tauprof, job, command="analyze"):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job.job.write(folder / "traces", job.clock_errors)
        subprocess.run([tauprof, "import", "kineto", folder / "traces", "-o", folder / "logs"], check=True,
                       stdout=subprocess.DEVNULL)
        done = subprocess.run([tauprof, command, folder / "logs", "--json", "-"], capture_output=True)
    return json.loads(done.stdout)


def named(report):
    """Who is named in findings about ranks, and why."""
    return {found["rank"]: found["cause"] for found in report["stragglers"]["found"]}


def named_in_healthy(tauprof, number):
    """Who is named in the healthy job of this number: {rank: cause}."""
    return named(told_of(tauprof, draw_job(number)))


def missed_culprits(tauprof, number):
    """[(culprit, who is named instead)] of the jobs of this number, one for each culprit."""
    missed = []
    for shape, ranks, cause, amount in CULPRITS:
        job = draw_job(number, shape, {rank: {cause: amount} for rank in ranks})
        found = named(told_of(tauprof, job))
        if found != {rank: cause for rank in ranks}:
            missed.append(((shape, ranks, cause), found))
    return missed
