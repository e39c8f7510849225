"""Jobs with known truth, each drawn from one number, for tauprof-generate.

    job = draw_job(17)          # shape, defects, when they happen, clocks, what the log lacks
    clean = draw_clean_job(3)   # noise alone

The generator shares no code with the analyzer. A defect by itself makes the steps that it is in longer by 3 % or more:
what a host loses while it is ahead of its device costs nothing, so a defect grows until it does.
"""

from __future__ import annotations

import dataclasses
import random

STEPS = 12
HELD_OUT = 1000  # numbers from here on are not looked at while the analyzer is being changed

SHAPES = {
    "data parallel, overlapped": (8, ""),
    "data parallel, one bucket": (8, "--layers-per-bucket 4"),
    "tensor groups": (16, "--tensor-parallel 4"),
    "grid": (16, "--tensor-parallel 2 --pipeline 2 --micro-batches 4"),
    "GPipe": (4, "--pipeline 4 --micro-batches 8 --forwards-first"),
    "GPipe, replicas": (8, "--pipeline 4 --micro-batches 8 --forwards-first"),
    "1F1B": (4, "--pipeline 4 --micro-batches 8 --interleaved-batches --buffered-sends"),
    "1F1B, replicas": (8, "--pipeline 4 --micro-batches 8 --interleaved-batches --buffered-sends"),
    "sharded": (8, "--sharded"),
    "experts": (8, "--all-to-all"),
}
WITH_GROUPS = ("tensor groups", "grid")  # where a rank's link can be told from its peers'

# Defects that may happen in some steps only, and those that a rank has in all of them.
IN_STEPS = ("slow_compute", "data_wait", "host_stall", "allocation", "cpu_contention")
IN_ALL = ("slow_compute", "more_compute", "host_launch", "host_sync", "throttled", "slow_link", "data_wait",
          "host_stall", "allocation", "cpu_contention")
TIMED = {"data_wait": "--data-wait", "host_stall": "--stall", "allocation": "--allocation",
         "cpu_contention": "--cpu-contention"}
PLACES = {"data_wait": "DataLoader", "host_stall": "forward", "allocation": "forward", "cpu_contention": "forward"}
# Small kernels, so that the host is the bottleneck where these defects are about it.
LAUNCH_BOUND, RUNS_AHEAD = "--layers 8 --gemm 30us --elementwise 10us", "--step-end none"

WHEN = ("each step", "every third", "alternating", "two at once")
CLOCKS = ("exact", "0.3 ms", "5 ms", "seconds", "drifting")
LEAST, MOST = 0.03, 0.25  # of the step
MOST_TRIES = 12


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


def steps_of(when):
    if when == "every third":
        return [str(step) for step in range(2, STEPS, 3)]
    return ["*"]


class Drawing:
    """`step_of(options)`: (mean length of a step in ns, share of computing)."""

    def __init__(self, number, step_of):
        self.random = random.Random(number)
        self.number = number
        self.step_of = step_of

    def job(self):
        names = list(SHAPES)
        shape = names[self.number % len(names)]
        job = Job(self.number, shape)
        self.ranks, options = SHAPES[shape]
        self.options = [f"--ranks {self.ranks} --steps {STEPS} --seed {self.number + 1}", options]
        job.when = self.random.choice(WHEN)
        job.clocks = self.random.choice(CLOCKS)
        job.lacks = self.random.choices(("nothing", "a record", "a rank"), (8, 1, 1))[0]
        if job.lacks == "a rank":
            job.when = "each step"
        self.add_defects(job)
        self.options.append(self.clocks(job.clocks))
        if job.lacks == "a record":
            self.options.append(f"--lose-collectives {self.random.randrange(self.ranks)}:{self.random.randrange(STEPS)}=1")
        if job.lacks == "a rank":
            [job.missing] = job.causes
            self.options.append(f"--missing {job.missing}")
            job.causes = {}
        job.options = " ".join(filter(None, self.options))
        return job

    def clean_job(self):
        names = list(SHAPES)
        shape = names[self.number % len(names)]
        self.ranks, options = SHAPES[shape]
        clocks = self.random.choice(CLOCKS)
        noise = self.random.randrange(20, 150)
        job = Job(self.number, shape, clocks=clocks)
        job.options = " ".join(filter(None, (
            f"--ranks {self.ranks} --steps {STEPS} --seed {self.number + 1} --jitter-permille {noise}", options,
            self.clocks(clocks))))
        return job

    def add_defects(self, job):
        count = 1 if job.when in ("each step", "every third") else 2
        ranks = self.random.sample(range(self.ranks), count)
        if job.when == "alternating":
            turns = [[str(step) for step in range(1 + turn, STEPS, 2)] for turn in range(2)]
            options = [None]
            while None in options:
                cause = self.random.choice(IN_STEPS)
                options = [self.defect(cause, rank, steps) for rank, steps in zip(ranks, turns)]
            job.causes = dict.fromkeys(ranks, cause)
            self.options += options
            return
        possible = IN_STEPS if job.when == "every third" else IN_ALL
        for rank in ranks:
            option = None
            while option is None:
                cause = self.random.choice([one for one in possible if one != "slow_link" or job.shape in WITH_GROUPS])
                option = self.defect(cause, rank, steps_of(job.when))
            job.causes[rank] = cause
            self.options.append(option)
        if count == 2 and not self.costs(self.options[-2], self.options[:-2] + self.options[-1:], STEPS):
            job.causes = {}  # the second hides the first: draw both anew
            self.options = self.options[:2]
            self.add_defects(job)

    def defect(self, cause, rank, steps):
        """Its option; None if it costs too little, however large it is."""
        if cause in ("host_launch", "host_sync") and LAUNCH_BOUND not in self.options:
            self.options.append(LAUNCH_BOUND)
        if cause == "host_launch" and RUNS_AHEAD not in self.options:
            self.options.append(RUNS_AHEAD)
        shape = " ".join(filter(None, self.options))  # with other defects, behind which this one might hide
        length, computing = self.step_of(shape)
        affected = STEPS if steps == ["*"] else len(steps)
        share = self.random.uniform(LEAST, MOST)
        for _ in range(MOST_TRIES):
            option = self.option_of(cause, rank, steps, share, length, computing)
            if self.costs(option, self.options, affected):
                return option
            share *= 1.5
        return None

    def costs(self, option, others, affected):
        """Whether the option makes the steps that it affects long enough, beside the others."""
        without = self.step_of(" ".join(filter(None, others)))[0]
        return (self.step_of(" ".join(filter(None, [*others, option])))[0] - without) * STEPS / affected >= LEAST * without

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
