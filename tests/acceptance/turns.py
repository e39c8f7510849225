"""Runs of programs/training_steps.py in turns. All start together, since starting takes longer than a run, and wait; then
one after the other has the machine for itself."""

from __future__ import annotations

import dataclasses
import statistics

from pieces import PROGRAMS

PROGRAM = PROGRAMS / "training_steps.py"
READY_S, RUN_S = 120, 180


@dataclasses.dataclass(frozen=True)
class Way:
    """How a training runs. `variables`: None: without the recorder."""
    name: str
    options: str
    variables: dict | None = None


@dataclasses.dataclass
class Turn:
    """The result of a run."""
    way: Way
    run: object
    steps: list  # when each started: (ns of the monotonic clock, ns of the thread's CPU clock)
    measured: tuple  # from, until: ns of the monotonic clock; and how many steps the warm-up before that has
    threads: list  # of the process: [name, ns of CPU time] while it was measured

    @property
    def warm_up(self):
        return self.measured[2]

    @property
    def step_ns(self):
        return (self.measured[1] - self.measured[0]) / (len(self.steps) - self.warm_up)

    @property
    def middle_ns(self):
        """The median of steps, as their host saw them."""
        starts = [start for start, _ in self.steps[self.warm_up:]]
        return statistics.median(b - a for a, b in zip(starts, starts[1:]))

    def in_json(self):
        return {"way": self.way.name, "step_ms": self.step_ns / 1e6, "median_ms": self.middle_ns / 1e6,
                "steps": len(self.steps), "threads": [[name, ns / 1e6] for name, ns in self.threads if ns > 1e6]}


def turn_of(way, run):
    """None: the run has no end."""
    lines = [line.split() for line in run.output.splitlines()]
    measured = [tuple(map(int, words)) for kind, *words in lines if kind == "measured"]
    steps = [tuple(map(int, words)) for kind, *words in lines if kind == "step"]
    threads = [[" ".join(name), int(ns)] for kind, *words in lines if kind == "thread" for _, ns, *name in [words]]
    return Turn(way, run, steps, measured[0], threads) if run.status == 0 and measured else None


def start(trial, way):
    """The started program, and the file that lets it go on."""
    gate = trial.folder / f"gate{trial.runs.number}"
    command = [trial.python, PROGRAM, *way.options.split(), "--when", gate]
    return trial.runs.start(command, recorded=way.variables is not None, variables=way.variables), gate


def in_turns(trial, ways):
    """Yields the turn of each way, in their order; None for one that failed, which is wrong."""
    waiting = [start(trial, way) for way in ways]
    try:
        for started, _ in waiting:
            started.wait_for("ready", READY_S)
        for way, (started, gate) in zip(ways, waiting):
            gate.touch()
            run = started.finish(RUN_S)
            turn = turn_of(way, run)
            trial.expect(f"the program ends well ({way.name}, {way.options}: {run.status})", turn is not None)
            yield turn
    finally:
        for started, _ in waiting:
            started.kill()
