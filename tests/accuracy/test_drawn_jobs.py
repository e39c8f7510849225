"""Whom the report names in jobs drawn from a number (drawn_jobs.py): nobody in healthy ones, in 99 of 100; else the
culprit or its whole group, with the right cause.
"""

import functools
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from drawn_jobs import draw_job  # noqa: E402
from named_ranks import CULPRITS, named, told_of  # noqa: E402

IN_EVERY_RUN, ALL = 14, 100
MOST_NAMED = 0.01  # of the healthy jobs

DRAWS = 4  # of each culprit


@functools.cache
def report_of(tauprof, number, shape=None, ranks=(), cause=None, amount=0):
    return told_of(tauprof, draw_job(number, shape, {rank: {cause: amount} for rank in ranks}))


@pytest.mark.parametrize("count", [IN_EVERY_RUN, pytest.param(ALL, marks=pytest.mark.full)])
def test_nobody_is_named_in_healthy_jobs(tauprof, count):
    wrong = {number: found for number in range(count) if (found := named(report_of(tauprof, number)))}
    assert len(wrong) <= MOST_NAMED * count, wrong


# A stage without replicas has nothing beside it but the other, which varies as well.
@pytest.mark.parametrize("numbers", [(5014, 5036, 5039, 5053), pytest.param(range(5000, 5100), marks=pytest.mark.full)],
                         ids=["four", "a hundred"])
def test_nobody_is_named_for_the_noise_of_two_stages(tauprof, numbers):
    reports = {number: told_of(tauprof, draw_job(number, "pipeline", stages=2)) for number in numbers}
    wrong = {number: found for number, report in reports.items() if (found := named(report))}
    assert len(wrong) <= MOST_NAMED * len(numbers), wrong


def culprits():
    for shape, ranks, cause, amount in CULPRITS:
        for number in range(DRAWS):
            marks = [pytest.mark.full] if number > 0 else []
            yield pytest.param(number, shape, ranks, cause, amount, marks=marks,
                               id=f"{shape}-{'+'.join(map(str, ranks))}-{cause}-{number}")


@pytest.mark.parametrize("number, shape, ranks, cause, amount", culprits())
def test_the_culprit_is_named(tauprof, number, shape, ranks, cause, amount):
    report = report_of(tauprof, number, shape, ranks, cause, amount)
    assert named(report) == {rank: cause for rank in ranks}
    assert [found["ranks"] for found in report["findings"] if found["id"] == "straggler"] == [list(ranks)]


@pytest.mark.parametrize("number", [0, *(pytest.param(one, marks=pytest.mark.full) for one in range(1, 8))])
@pytest.mark.parametrize("one_clock", [True, False])
def test_parts_of_unequal_size_move_no_clock(tauprof, number, one_clock):
    job = draw_job(number, "experts", {3: {"more_tokens": 0.5}}, one_clock, reduces=True)
    report = told_of(tauprof, job)
    for row in report["clock"]:
        off = job.clock_errors[row["rank"]] - job.clock_errors[0]
        assert row["used_offset_ns"] == pytest.approx(1_000 * off, abs=0 if one_clock else 5_000), row
        assert row["used_drift_ppm"] == pytest.approx(0, abs=0 if one_clock else 40), row


@pytest.mark.parametrize("shape", ["data parallel", "pipeline", "pipeline, replicas", "grid"])
def test_clocks_of_healthy_jobs_pass(tauprof, shape):
    checks = told_of(tauprof, draw_job(0, shape, one_clock=True), "health")["checks"]
    [clocks] = [check for check in checks if check["id"] == "clocks"]
    assert clocks["outcome"] == "pass", clocks
