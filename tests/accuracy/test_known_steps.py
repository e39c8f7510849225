"""Prices are about the steps in which it is known how long ranks wait: others are left out, and counted."""

import json
import pathlib
import random
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from asked_answers import answer_of, answers_of, judge, whatif, written  # noqa: E402
from asked_jobs import HELD_OUT, KINDS, PARTLY_RECORDED, Asked, Trouble, draw_asked, run  # noqa: E402
from asked_programs import overlapped_buckets  # noqa: E402
from changed_jobs import Steps, faster_collectives, faster_kernels, fix  # noqa: E402
from event_model import Job  # noqa: E402

PLACE = list(KINDS).index(PARTLY_RECORDED)
STEPS = 8


def report_of(tauprof, logs):
    done = subprocess.run([tauprof, "analyze", logs, "--json", "-"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


# Not of 49: two of its three known steps have the trouble, and half of all. Not of 148: the first of its three known
# steps waits for a rank that was held up in those before, which stay as they were.
@pytest.mark.parametrize("number", [number for number in range(PLACE, 18 * len(KINDS), len(KINDS)) if number not in (49, 148)])
def test_peers_recorded_only_some_steps(tauprof, number):
    assert number < HELD_OUT
    wrong = [str(one) for one in judge(tauprof, number) if not one.is_right]
    assert not wrong


def jumping(seed, at, jump):
    """A job of four ranks, one of which always is stalled for a while; another's clock jumps before a step."""
    draw = random.Random(seed)
    program = overlapped_buckets(draw, ranks=(4,))
    trouble = Trouble(2, "host_stall", 0.4 * program.length, 1)
    job = Job(4, 0.03, draw)
    run(job, program, STEPS, trouble)
    job.solve()
    marks = [first.start for first, _, name, *_ in job.ranks[1].records if name.startswith("ProfilerStep#")]
    steps = Steps(job)
    step = steps.mean()
    questions = [fix(2, True), fix(1, False), faster_collectives("all_reduce"), faster_kernels()]
    for question in questions:
        job.solve(question.change)
        question.truth = step - steps.mean()
    job.solve()
    job.ranks[1].clock_jump = (marks[at], jump)
    return Asked(seed, "a clock jumps", job, set(), dict.fromkeys(range(4), 0.0), trouble, steps, step, questions)


@pytest.mark.parametrize("seed,at,jump", [(1, 4, 5_000), (1, 6, 5_000), (1, 7, 5_000), (3, 4, -5_000)])
def test_a_clock_jumps(tauprof, tmp_path, seed, at, jump):
    asked = jumping(seed, at, jump)
    logs = written(tauprof, asked, tmp_path)
    said = answers_of(tauprof, logs, asked.questions)
    wrong = [str(one) for one in (answer_of(asked, *of_one) for of_one in said) if not one.is_right]
    assert not wrong
    left_out = STEPS - at + 1  # the step before ends by the clock that has jumped
    told = said[0][1]
    assert told["left_out_steps"] == left_out
    assert told["steps"] == STEPS - left_out
    assert told["limited_to"] == (f"{STEPS - left_out} of {STEPS} steps: in {left_out}, or where they end, the ranks' "
                                  "clocks contradict each other")
    report = report_of(tauprof, logs)
    assert report["whatif"]["left_out_steps"] == left_out
    assert report["whatif"]["limited_to"] == told["limited_to"]
    assert report["steps"]["count"] == STEPS
    [straggler] = [one for one in report["findings"] if one["id"] == "straggler"]
    assert straggler["ranks"] == [2]
    assert straggler["saves_ns_per_step"] == said[0][1]["saves_ns_per_step"]


def test_left_out_steps_are_said_and_have_no_price(tauprof, tmp_path):
    asked = jumping(1, 4, 5_000)
    logs = written(tauprof, asked, tmp_path)
    done = subprocess.run([tauprof, "whatif", logs, "--fix", "rank:2,steps:5:6"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "3 of 8 steps: in 5" in done.stdout and "3 of 8 steps: in 5" in done.stderr
    assert "not known: none of its steps is among those that are replayed" in " ".join(done.stdout.split())
    analysed = subprocess.run([tauprof, "analyze", logs], capture_output=True, text=True)
    assert "replayed are only 3 of 8 steps: in 5" in analysed.stderr


def test_where_all_is_known_nothing_is_left_out(tauprof, tmp_path):
    asked = draw_asked(list(KINDS).index("DDP, overlapped buckets"))
    logs = written(tauprof, asked, tmp_path)
    told = json.loads(whatif(tauprof, logs, asked.questions[:1]).stdout)
    assert (told["left_out_steps"], told["limited_to"]) == (0, None)
    assert report_of(tauprof, logs)["whatif"]["left_out_steps"] == 0
