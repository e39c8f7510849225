"""The model that the judge of what-if answers stands on, and answers about a few of its jobs of each kind.

Numbers stay below asked_jobs.HELD_OUT: scripts/accuracy --asked scores those from there on.
"""

import functools
import pathlib
import statistics
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from asked_answers import Answer, answers_of, judge, wilson, written  # noqa: E402
from asked_jobs import HELD_OUT, KINDS, LATER, LATER_KINDS, PARTLY_RECORDED, draw_asked, kind_of  # noqa: E402
from changed_jobs import Repaired  # noqa: E402
from event_model import Change, Job  # noqa: E402

ALL = 6  # jobs of each kind; every run has one
EACH_KIND = (*range(len(KINDS)), *range(LATER, LATER + len(LATER_KINDS)))
SOME = range(3 * len(KINDS))

drawn = functools.cache(draw_asked)


def asked_of(number):
    """The job as it is."""
    asked = drawn(number)
    asked.job.solve()
    return asked


def every_event(job):
    return [(event.start, event.end) for rank in job.ranks for event in rank.events]


@pytest.mark.parametrize("number", EACH_KIND)
def test_a_job_without_a_change_is_the_job(number):
    asked = asked_of(number)
    measured = every_event(asked.job)
    asked.job.solve(asked.questions[0].change)
    asked.job.solve(Change())
    assert every_event(asked.job) == measured
    assert asked.steps.mean() == asked.step


@pytest.mark.parametrize("number", EACH_KIND)
def test_a_number_is_a_job(number):
    first, second = asked_of(number), draw_asked(number)
    assert every_event(first.job) == every_event(second.job)
    assert [one.truth for one in first.questions] == [one.truth for one in second.questions]
    assert 2 <= len(first.questions) <= 4


@pytest.mark.parametrize("number", EACH_KIND)
def test_a_rank_in_no_trouble_is_repaired_for_nothing(number):
    asked = asked_of(number)
    for rank in range(len(asked.job.ranks)):
        if asked.trouble is None or rank != asked.trouble.rank:
            asked.job.solve(Repaired(rank))
            assert asked.steps.mean() == asked.step


@pytest.mark.parametrize("number", SOME)
def test_the_truth_is_possible(number):
    asked = asked_of(number)
    for question in asked.questions:
        assert -0.01 * asked.step < question.truth < asked.step, question  # what moves may meet other work
    lengths = asked.steps.lengths()
    median = statistics.median(lengths[len(lengths) // 2:])
    assert len(lengths) < 8 or lengths[0] < 1.5 * median, "the first step would count as warm-up"


def test_some_jobs_are_healthy_and_most_changes_matter():
    asked = [drawn(number) for number in SOME]
    assert 0.1 < statistics.mean(one.trouble is None for one in asked) < 0.4
    assert statistics.mean(question.truth > 0.03 * one.step for one in asked for question in one.questions) > 0.4


@pytest.mark.parametrize("number", [number for number in EACH_KIND if kind_of(number) != PARTLY_RECORDED])
def test_the_measured_step_is_that_of_the_model(tauprof, tmp_path, number):
    asked = asked_of(number)
    [(_, said)] = answers_of(tauprof, written(tauprof, asked, tmp_path), asked.questions[:1])
    assert said["measured_ns"] == pytest.approx(1_000 * asked.step, rel=0.001)


# --- the model, by hand ---------------------------------------------------------------------------------------------
class NoNoise:
    def gauss(self, middle, _):
        return middle

    def uniform(self, *_):
        return 0.0


def reduced(arrivals, **buffered):
    """When a collective of 10 us ends on ranks whose hosts launch it at these times."""
    job = Job(len(arrivals), 0, NoNoise())
    for rank, arrival in zip(job.ranks, arrivals):
        rank.host(arrival)
        rank.kernel("reduce", stream=20, joins=job.collective("one", 10, **buffered))
    job.solve()
    return [rank.streams[20].end - 6 for rank in job.ranks]  # from the launch to the device


def test_who_leaves_a_rooted_collective_when():
    assert reduced([0, 100, 50]) == [110, 110, 110]
    assert reduced([0, 100, 50], root=0) == [110, 110, 60]
    assert reduced([0, 100, 50], root=0, gathers=False) == [10, 110, 60]
    assert reduced([80, 0, 50], root=0, gathers=False) == [90, 90, 90]


def test_an_older_event_does_not_wait_for_what_was_launched_behind_it():
    job = Job(1, 0, NoNoise())
    [rank] = job.ranks
    older = rank.kernel("one", 100)
    event = rank.record(7)
    rank.kernel("two", 1000)
    waits = rank.await_event(event)
    rank.hold(20, event)
    held = rank.kernel("three", 10, stream=20)
    behind = rank.kernel("four", 10, stream=20)
    job.solve()
    assert waits.end == older.end + 6
    assert held.start >= older.end and held.after == [older]
    assert behind.after == [held]


# --- scores ---------------------------------------------------------------------------------------------------------
def test_scores():
    answer = Answer(0, "pipeline", "faster kernels", "", truth=0.10, saves=0.12, low=0.11, high=0.13)
    assert answer.is_right
    assert answer.distance == pytest.approx(0.009)  # a thousandth is for rounding
    assert answer.score == pytest.approx(0.02 + 40 * 0.009)
    assert not Answer(0, "pipeline", "faster kernels", "", truth=0.10).is_right
    assert Answer(0, "logs of peers missing", "faster collectives", "", truth=0.10).is_right
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=0.001)


# Without an answer.
WRONG = {24: "nothing tells what all-gathers wait for that never had to wait",
         541: "the only rank that does the same work is itself named, for 0.6 % of the step"}


def numbers():
    for number in (*range(ALL * len(KINDS)), *range(LATER, LATER + ALL * len(LATER_KINDS))):
        marks = [] if number in EACH_KIND else [pytest.mark.full]
        if number in WRONG:
            marks.append(pytest.mark.xfail(reason=WRONG[number], strict=True))
        yield pytest.param(number, marks=marks, id=f"{kind_of(number)}-{number}")


judged = functools.cache(judge)


@pytest.mark.parametrize("number", numbers())
def test_answers_are_right_or_say_how_far_off_they_may_be(tauprof, number):
    assert number < HELD_OUT
    wrong = [str(one) for one in judged(tauprof, number)
             if not one.is_right and (one.saves is None or one.distance > 0)]
    assert not wrong


def test_intervals_cover_the_truth_in_nineteen_of_twenty_answers(tauprof):
    known = [one for number in EACH_KIND for one in judged(tauprof, number) if one.saves is not None]
    missed = [str(one) for one in known if one.distance > 0]
    assert len(known) >= 20
    assert len(missed) <= len(known) / 20, missed
    assert statistics.mean(one.high - one.low for one in known) <= 0.03
