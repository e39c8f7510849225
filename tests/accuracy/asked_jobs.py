"""Jobs drawn from a number, each with questions for `tauprof whatif` and their true answers.

    asked = draw_asked(7)
    asked.questions[0].options  # ["--fix", "rank:2"]
    asked.questions[0].truth  # 812.4: by so many microseconds the mean step of the job is shorter without the trouble

A quarter of the jobs is healthy. In the others one rank is in trouble, in each step or in every other one; sometimes
the repair of another rank is asked about, which saves nothing.
"""

from __future__ import annotations

import dataclasses
import random

import asked_programs as programs
import asked_schemes as schemes
from asked_pipelines import pipeline
from changed_jobs import (Question, Steps, faster_collectives, faster_copies, faster_kernels, faster_messages, fix,
                          without_copies, without_data_waits, without_syncs)
from event_model import Job

HELD_OUT = 1000  # numbers from here on are for scoring, those below for tests and for mending
LOGS_MISSING, PARTLY_RECORDED = "logs of peers missing", "peers recorded only some steps"
KINDS = {
    "pipeline, waits on another thread": lambda draw, steps: pipeline(draw, has_thread=True),
    "host waits for an older event": lambda draw, steps: programs.older_event(draw),
    "FSDP, rate limiter": lambda draw, steps: programs.fully_sharded(draw, limits=(1, 2, 2)),
    "checkpoint": programs.checkpoint,
    "gradients reduced to owners": lambda draw, steps: programs.reduced_to_owners(draw),
    PARTLY_RECORDED: lambda draw, steps: programs.overlapped_buckets(draw, ranks=(2, 4)),
    "uneven all-to-alls": lambda draw, steps: programs.uneven_exchange(draw),
    "DDP, overlapped buckets": lambda draw, steps: programs.overlapped_buckets(draw),
    "pipeline": lambda draw, steps: pipeline(draw, has_thread=False),
    "FSDP": lambda draw, steps: programs.fully_sharded(draw, limits=(None,)),
    LOGS_MISSING: lambda draw, steps: programs.overlapped_buckets(draw, ranks=(2, 4)),
}
LATER = 500  # of each thousand numbers, those from here on have the kinds that came later
LATER_KINDS = {
    "tensor groups": schemes.tensor_parallel,
    "update on the host": schemes.offloaded_update,
    "embeddings": schemes.embeddings,
    "ring attention": schemes.ring_attention,
    "input prepared by a thread": schemes.prefetched_input,
    "accumulated gradients": schemes.accumulated_gradients,
    "values read by layer": schemes.values_read_by_layer,
    "weights averaged now and then": schemes.averaged_now_and_then,
    "clipped, sharded update": schemes.clipped_and_sharded_update,
}
# How long ranks wait in a collective of which a log is missing, nobody can know. Everywhere else there is an answer.
NULL_IS_RIGHT = {LOGS_MISSING}


@dataclasses.dataclass
class Asked:
    number: int
    kind: str
    job: Job
    without: set  # ranks whose logs are missing
    clock_errors: dict
    trouble: Trouble | None
    steps: Steps
    step: float  # the mean, in microseconds
    questions: list[Question]


@dataclasses.dataclass
class Trouble:
    rank: int
    cause: str
    amount: float
    every: int  # in every so many steps

    def of(self, rank, step):
        return {self.cause: self.amount} if rank == self.rank and step % self.every == 0 else {}


def draw_trouble(draw, program):
    """Its rank is drawn in healthy jobs, too, to be asked about."""
    cause = draw.choice(program.causes)
    if cause in ("slow_compute", "more_tokens"):
        amount = draw.uniform(0.1, 0.5)
    else:
        amount = program.length * draw.uniform(0.15, 0.6)
    trouble = Trouble(draw.choice(program.with_peers()), cause, amount, draw.choice((1, 1, 2)))
    return trouble, draw.random() < 0.25


def other_questions(program, kind):
    questions = [faster_kernels()]
    questions += [faster_collectives(op) for op in program.ops] or [faster_messages()]
    if kind == LOGS_MISSING:
        return questions
    if program.blocks:
        questions.append(without_syncs())
    if "data_wait" in program.causes:
        questions.append(without_data_waits())
    return questions


def draw_questions(draw, program, kind, trouble, is_healthy, without):
    """A repair is "as peers do it", so who is asked about has a peer that is not in trouble."""
    others = [rank for rank in program.with_peers(trouble.rank) if rank not in without]
    rank = draw.choice(others) if others and draw.random() < 0.2 else trouble.rank
    questions = [fix(rank, is_slow=rank == trouble.rank and not is_healthy)]
    if program.snapshots:
        questions.append(draw.choice((without_copies, faster_copies))())
    others = other_questions(program, kind)
    return questions + draw.sample(others, min(len(others), draw.randint(1, 4 - len(questions))))


def run(job, program, steps, trouble):
    for rank in job.ranks:
        for step in range(steps):
            with rank.range(f"ProfilerStep#{step}"):
                program.step_of(rank, step, trouble.of(rank.number, step) if trouble else {})
        rank.synchronize()


def record_partly(draw, job, steps, besides, blocks):
    """Peers stop early or, if the host has not run ahead of what it would then not record, start late; at least one
    does."""
    peers = [rank for rank in job.ranks if rank.number != besides]
    for rank in draw.sample(peers, draw.randint(1, len(peers))):
        count = draw.randint(steps // 2 + 1, steps - 1)
        marks = [mark for mark in rank.records if mark[2].startswith("ProfilerStep#")]
        marks = marks[-count:] if draw.random() < 0.3 and blocks else marks[:count]
        rank.recorded = (marks[0][0], marks[-1][1])


def kind_of(number):
    kinds = list(KINDS) if number % HELD_OUT < LATER else list(LATER_KINDS)
    return kinds[number % len(kinds)]


def draw_asked(number):
    draw = random.Random(number)
    kind = kind_of(number)
    steps = draw.randint(4, 10)
    program = LATER_KINDS[kind](draw) if kind in LATER_KINDS else KINDS[kind](draw, steps)
    trouble, is_healthy = draw_trouble(draw, program)
    job = Job(program.ranks, draw.uniform(0.02, 0.05), draw)
    job.marks_ends = draw.random() < 0.5
    run(job, program, steps, None if is_healthy else trouble)
    without = set()
    if kind == PARTLY_RECORDED:
        record_partly(draw, job, steps, trouble.rank, program.blocks)
    if kind == LOGS_MISSING:
        peers = [rank for rank in range(program.ranks) if rank != trouble.rank]
        without = set(draw.choice((peers, [draw.choice(peers)])))
    questions = draw_questions(draw, program, kind, trouble, is_healthy, without)
    one_clock = draw.random() < 0.5
    clock_errors = {rank.number: 0 if one_clock else draw.uniform(-3_000, 3_000) for rank in job.ranks}
    job.solve()
    steps = Steps(job, without)
    step = steps.mean()
    for question in questions:
        job.solve(question.change)
        question.truth = step - steps.mean()
    job.solve()
    return Asked(number, kind, job, without, clock_errors, None if is_healthy else trouble, steps, step, questions)
