"""Jobs with known truth, each drawn from one number, for tauprof-generate.

    job = draw_job(17)          # shape, defects, when they happen, clocks, what the log lacks
    clean = draw_clean_job(3)   # noise alone

The generator shares no code with the analyzer. A defect makes the steps that it is in longer by 3 % or more, beside the
job's other defects and after the first step: what a host loses while it is ahead of its device costs nothing, nor does
a late start. So a defect grows until it costs that much.
"""

from __future__ import annotations

import dataclasses
import itertools
import random

STEPS = 12
HELD_OUT = 8000  # numbers from here on are not looked at while the analyzer is being changed

# Ranks, the ranks that there may be instead, and options.
SHAPES = {
    "data parallel, overlapped": ((4, 8), ""),
    "data parallel, one bucket": ((4, 8), "--layers-per-bucket 99"),
    "tensor groups": ((16,), "--tensor-parallel 4"),
    "grid": ((16,), "--tensor-parallel 2 --pipeline 2"),
    "GPipe": ((2, 4), "--forwards-first"),
    "GPipe, replicas": ((8,), "--pipeline 4 --forwards-first"),
    "1F1B": ((3, 4), "--interleaved-batches --buffered-sends"),
    "1F1B, replicas": ((8,), "--pipeline 4 --interleaved-batches --buffered-sends"),
    "sharded": ((4, 8), "--sharded"),
    "experts": ((4, 8), "--all-to-all"),
}
WITHOUT_REPLICAS = ("GPipe", "1F1B")  # every rank is a stage of its own
PIPELINES = (*WITHOUT_REPLICAS, "GPipe, replicas", "1F1B, replicas", "grid")
WITH_GROUPS = ("tensor groups", "grid")  # where a rank's link can be told from its peers'

# Defects that may happen in some steps only, and those that a rank has in all of them.
IN_STEPS = ("slow_compute", "data_wait", "host_stall", "allocation", "cpu_contention")
IN_ALL = ("slow_compute", "more_compute", "host_launch", "host_sync", "throttled", "slow_link", "data_wait",
          "host_stall", "allocation", "cpu_contention")
TIMED = {"data_wait": "--data-wait", "host_stall": "--stall", "allocation": "--allocation",
         "cpu_contention": "--cpu-contention"}
PLACES = {"data_wait": "DataLoader", "host_stall": "forward", "allocation": "forward", "cpu_contention": "forward"}
# Small kernels, so that the host is the bottleneck where these defects are about it.
LAUNCH_BOUND = {"--layers": "8", "--gemm": "30us", "--elementwise": "10us"}
RUNS_AHEAD = {"--step-end": "none"}

WHEN = ("each step", "every third", "alternating", "two at once")
CLOCKS = ("exact", "0.3 ms", "5 ms", "seconds", "drifting")
LEAST, MOST = 0.03, 0.25  # of the step
MOST_TRIES = 8
MOST_DRAWS = 6


@dataclasses.dataclass
class Job:
    number: int
    shape: str
    when: str = "each step"
    clocks: str = "exact"
    lacks: str = "nothing"  # or "a record", "a rank"
    causes: dict[int, str] = dataclasses.field(default_factory=dict)  # by rank
    options: str = ""
    missing: int | None = None
    has_places: bool = True  # the trace has ranges


DEFECT_OPTIONS = {*TIMED.values(), "--slow-rank", "--throttle", "--slow-step", "--extra-kernels", "--slow-link",
                  "--busy-host", "--layer-sync"}


def without_defects(options, ranks):
    """The options of the same job in which nothing is wrong with these ranks."""
    words, kept = options.split(), []
    while words:
        word = words.pop(0)
        if word not in DEFECT_OPTIONS:
            kept.append(word)
            continue
        others = [one for one in words.pop(0).split(",") if int(one.split("=")[0].split(":")[0]) not in ranks]
        if others:
            kept += [word, ",".join(others)]
    return " ".join(kept)


class Drawing:
    """`step_of(options)`: (mean length of the steps after the first in ns, share of computing)."""

    def __init__(self, number, step_of):
        self.random = random.Random(number)
        self.number = number
        self.step_of = step_of
        names = list(SHAPES)
        self.shape = names[number % len(names)]
        ranks, self.features = SHAPES[self.shape]
        self.ranks = self.random.choice(ranks)
        self.base = self.form()

    def form(self):
        """Options that make no job of the same shape like another."""
        base = {"--ranks": self.ranks, "--steps": STEPS, "--seed": self.number + 1,
                "--layers": self.random.randint(3, 6), "--gemm": f"{self.random.choice((150, 300, 400, 700))}us",
                "--jitter-permille": self.random.choice((20, 50, 80)),
                "--step-end": self.random.choice(("stream-sync", "device-sync", "blocking-copy"))}
        if self.shape in PIPELINES:
            base["--micro-batches"] = 4 if self.shape == "grid" else self.random.choice((4, 8, 12))
        if self.shape in WITHOUT_REPLICAS:
            base["--pipeline"] = self.ranks
        if self.random.random() < 0.25:
            base["--no-autograd"] = ""
        if self.random.random() < 0.25:
            base["--no-phase-ranges"] = ""
        return base

    def options(self, *more):
        words = [f"{option} {value}".rstrip() for option, value in self.base.items()]
        return " ".join(filter(None, (*words, self.features, *more)))

    def job(self):
        job = Job(self.number, self.shape)
        job.when = self.random.choice(WHEN)
        job.clocks = self.random.choice(CLOCKS)
        job.lacks = self.random.choices(("nothing", "a record", "a rank"), (8, 1, 1))[0]
        if job.lacks == "a rank":
            job.when = "each step"
        more = [*self.defects(job), self.clocks(job.clocks)]
        if job.lacks == "a record":
            more.append(f"--lose-collectives {self.random.randrange(self.ranks)}:{self.random.randrange(STEPS)}=1")
        if job.lacks == "a rank":
            [job.missing] = job.causes
            more.append(f"--missing {job.missing}")
            job.causes = {}
        job.has_places = "--no-phase-ranges" not in self.base
        job.options = self.options(*more)
        return job

    def clean_job(self):
        self.base["--jitter-permille"] = self.random.randrange(20, 150)
        job = Job(self.number, self.shape, clocks=self.random.choice(CLOCKS))
        job.options = self.options(self.clocks(job.clocks))
        return job

    def defects(self, job):
        """Draws them until each costs something beside the others; returns their options. Where ranks meet once in a
        step, two defects at once never do: they take turns instead."""
        base = dict(self.base)
        for draw in itertools.count():
            if draw == MOST_DRAWS and job.when == "two at once":
                job.when = "alternating"
            self.base = dict(base)
            drawn = self.draw_defects(job)
            if drawn and (len(drawn) == 1 or self.costs(drawn[0], drawn[1:], STEPS // 2 if job.when == "alternating"
                                                        else STEPS)):
                return drawn

    def draw_defects(self, job):
        count = 1 if job.when in ("each step", "every third") else 2
        ranks = self.random.sample(range(self.ranks), count)
        steps = [["*"]] * count
        if job.when == "every third":
            steps = [[str(step) for step in range(2, STEPS, 3)]]
        if job.when == "alternating":
            steps = [[str(step) for step in range(1 + turn, STEPS, 2)] for turn in range(2)]
        possible = IN_ALL if steps[0] == ["*"] else IN_STEPS
        possible = [one for one in possible if one != "slow_link" or self.shape in WITH_GROUPS]
        causes = [self.random.choice(possible) for _ in ranks]
        if job.when == "alternating":
            causes = causes[:1] * 2
        for cause in causes:
            if cause in ("host_launch", "host_sync"):
                self.base |= LAUNCH_BOUND
            if cause == "host_launch":
                self.base |= RUNS_AHEAD
        drawn = []
        for cause, rank, of_it in zip(causes, ranks, steps):
            if (option := self.defect(cause, rank, of_it, drawn)) is None:
                return None
            drawn.append(option)
        job.causes = dict(zip(ranks, causes))
        return drawn

    def defect(self, cause, rank, steps, others):
        """Its option; None if it costs too little, however large it is."""
        length, computing = self.step_of(self.options(*others))
        affected = STEPS if steps == ["*"] else len(steps)
        share = self.random.uniform(LEAST, MOST)
        for _ in range(MOST_TRIES):
            option = self.option_of(cause, rank, steps, share, length, computing)
            if self.costs(option, others, affected):
                return option
            share *= 1.5
        return None

    def costs(self, option, others, affected):
        """Whether the option makes the steps that it affects long enough, beside the others."""
        without = self.step_of(self.options(*others))[0]
        return (self.step_of(self.options(*others, option))[0] - without) * STEPS / affected >= LEAST * without

    def option_of(self, cause, rank, steps, share, length, computing):
        if cause in TIMED:
            time = max(1, round(share * length / 1000))
            return TIMED[cause] + " " + ",".join(f"{rank}:{step}={time}us" for step in steps)
        if cause in ("slow_compute", "throttled"):
            factor = round(1 + share / computing, 3)
            if cause == "throttled":
                return f"--throttle {rank}={factor}"
            if steps == ["*"]:
                return f"--slow-rank {rank}={factor}"
            return "--slow-step " + ",".join(f"{rank}:{step}={factor}" for step in steps)
        if cause == "more_compute":
            return f"--extra-kernels {rank}={round(20 * share) + 2}"
        if cause == "slow_link":
            return f"--slow-link {rank}={round(1 + 12 * share, 1)}"
        if cause == "host_launch":
            return f"--busy-host {rank}={round(40 * share) + 8}"
        return f"--layer-sync {rank}=1"

    def clocks(self, how):
        if how == "exact":
            return ""
        if how == "drifting":
            size, drift = 5e-3, 50
        else:
            size, drift = {"0.3 ms": 0.3e-3, "5 ms": 5e-3, "seconds": 9}[how], 0
        offsets = ",".join(f"{rank}={round(self.random.uniform(-size, size) * 1e6)}us" for rank in range(1, self.ranks))
        walls = ",".join(f"{rank}={round(self.random.uniform(-size, size) * 1e6)}us" for rank in range(1, self.ranks))
        text = f"--hosts {self.ranks} --clock-offset {offsets} --wall-clock-error {walls}"
        if drift:
            text += " --clock-drift " + ",".join(f"{rank}={self.random.randint(-drift, drift)}"
                                                 for rank in range(1, self.ranks))
        return text


def draw_job(number, step_of):
    return Drawing(number, step_of).job()


def draw_clean_job(number, step_of=None):
    return Drawing(number, step_of).clean_job()
