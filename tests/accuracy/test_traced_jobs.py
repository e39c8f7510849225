"""Who is blamed, for what, and what a repair saves, in traces of jobs that another model than tauprof-generate made.

A defect costs 3 % of the step or more. The clocks of ranks are wrong by up to as much as the case says.
"""

import functools
import json
import pathlib
import random
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from traced_jobs import data_parallel, pipeline, sharded  # noqa: E402

SHAPES = {
    "overlapped": data_parallel,
    "one bucket": functools.partial(data_parallel, overlaps=False),
    "loss in each step": functools.partial(data_parallel, ranks=8, reads_loss=True),
    "1F1B": pipeline,
    "GPipe": functools.partial(pipeline, forwards_first=True),
    "1F1B, replicas": functools.partial(pipeline, replicas=2),
    "GPipe, replicas": functools.partial(pipeline, stages=2, replicas=2, forwards_first=True),
    "1F1B, a group for each pair": functools.partial(pipeline, group_per_pair=True),
    "sharded": sharded,
}
RANKS = {"loss in each step": 8, "1F1B, replicas": 8}  # of the others, 4
CLOCKS = {"exact": 0, "0.3 ms": 300, "5 ms": 5_000, "seconds": 3_000_000}  # microseconds


def every(step):
    return True


def every_third(step):
    return step % 3 == 1


# (shape, cause, amount, when, clocks); the first of each shape is in every run
DEFECTS = [
    ("overlapped", "slow_compute", 0.15, every, "5 ms"),
    ("overlapped", "more_compute", 3_000, every, "5 ms"),
    ("overlapped", "more_compute", 3_000, every_third, "seconds"),
    ("overlapped", "host_stall", 12_000, every, "exact"),
    ("one bucket", "more_compute", 3_000, every, "0.3 ms"),
    ("one bucket", "slow_compute", 0.15, every_third, "seconds"),
    ("loss in each step", "host_stall", 12_000, every, "5 ms"),
    ("loss in each step", "data_wait", 4_000, every_third, "seconds"),
    ("loss in each step", "allocation", 12_000, every, "exact"),
    ("1F1B", "slow_compute", 0.15, every, "exact"),
    ("1F1B", "more_compute", 3_000, every, "5 ms"),
    ("GPipe", "host_stall", 15_000, every, "0.3 ms"),
    ("GPipe", "allocation", 15_000, every, "seconds"),
    ("1F1B, replicas", "slow_compute", 0.15, every, "seconds"),
    ("1F1B, replicas", "slow_compute", 0.15, every, "5 ms"),
    ("GPipe, replicas", "more_compute", 3_000, every, "exact"),
    ("GPipe, replicas", "host_stall", 15_000, every_third, "5 ms"),
    ("1F1B, a group for each pair", "slow_compute", 0.15, every, "5 ms"),
    ("1F1B, a group for each pair", "more_compute", 3_000, every, "exact"),
    ("sharded", "host_stall", 12_000, every, "seconds"),
    ("sharded", "slow_compute", 0.15, every, "5 ms"),
    ("sharded", "data_wait", 6_000, every_third, "0.3 ms"),
    ("sharded", "more_compute", 3_000, every, "exact"),
    ("1F1B, replicas", "more_compute", 8_000, every_third, "exact"),
    ("GPipe", "slow_compute", 0.15, every_third, "exact"),
    ("1F1B", "slow_compute", 0.3, every_third, "5 ms"),
]


def cases():
    seen = set()
    for number, (shape, cause, amount, when, clocks) in enumerate(DEFECTS):
        marks = [pytest.mark.full] if shape in seen else []
        seen.add(shape)
        name = f"{shape}-{cause}-{when.__name__}-{clocks}"
        yield pytest.param(number, shape, cause, amount, when, clocks, marks=marks, id=name)


def report_of(tauprof, job, clocks, draw, folder):
    errors = {rank.number: draw.uniform(-CLOCKS[clocks], CLOCKS[clocks]) for rank in job.ranks}
    job.write(folder / "traces", errors)
    subprocess.run([tauprof, "import", "kineto", folder / "traces", "-o", folder / "logs"], check=True,
                   stdout=subprocess.DEVNULL)
    done = subprocess.run([tauprof, "analyze", folder / "logs", "--json", "-"], check=True, capture_output=True)
    return json.loads(done.stdout)


def blamed(report):
    return {found["rank"]: found["cause"] for found in report["stragglers"]["found"]}


@pytest.mark.parametrize("number, shape, cause, amount, when, clocks", cases())
def test_the_defect_is_found_and_priced(tauprof, tmp_path, number, shape, cause, amount, when, clocks):
    draw = random.Random(number)
    rank = draw.randrange(RANKS.get(shape, 4))
    if shape.startswith("1F1B") and cause == "more_compute":
        rank = max(rank, 1)  # what the first stage does ahead of time costs nothing
    healthy = SHAPES[shape](random.Random(number), {}, when)[1]
    job, length = SHAPES[shape](random.Random(number), {rank: {cause: amount}}, when)
    cost = (length - healthy) / length
    assert cost >= 0.03, "not a case"
    report = report_of(tauprof, job, clocks, draw, tmp_path)
    assert blamed(report) == {rank: cause}
    savings = [finding["saves_ns_per_step"] for finding in report["findings"] if finding["id"] == "straggler"]
    assert savings == [pytest.approx(1_000 * (length - healthy), abs=1_000 * 0.05 * length)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("noise", [0.02, pytest.param(0.01, marks=pytest.mark.full),
                                   pytest.param(0.08, marks=pytest.mark.full)])
def test_nobody_is_blamed_for_noise(tauprof, tmp_path, shape, noise):
    job, _ = SHAPES[shape](random.Random(shape), {}, every, noise=noise)
    assert blamed(report_of(tauprof, job, "5 ms", random.Random(shape), tmp_path)) == {}
