"""The report of a job without the recorder, against the job without the recorder: training on simulated GPUs whose CUPTI
slows the host as a real one does.

A turn runs each job five times: bare with its defect, recorded with device times, recorded with hooks alone, bare with the
defect repaired, and recorded on a CUPTI that disturbs nothing. `tauprof analyze FULL --host-times LIGHT` must say what the
bare jobs' own clocks say. Hosts run in real time, so medians of several turns count, and the spread of equal bare runs stands
beside what is to be shown.
"""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
COSTS = ROOT / "tests" / "workloads" / "costs.txt"
TOOK = re.compile(r"^step (\d+)\b.* took ([\d.]+) ms$", re.MULTILINE)
WARM_UP = 10
LAST = 3  # steps that are not compared: devices end theirs up to a step later than hosts, in the midst of the program's end
HOST_BOUND, DEVICE_BOUND = 0.01, 0.003  # how far the report's step may be off, in shares of the bare step
PRICE = 0.03                            # the price of a repair, likewise
SLOWDOWN = 0.01                         # the slowdown, in points


@dataclasses.dataclass(frozen=True)
class Pair:
    name: str
    finding: str  # its id in the report
    defect: str   # options of the training with the defect …
    mended: str   # … and of the one without
    ranks: int = 0
    steps: int = 60
    devices: str = ""
    is_device_bound: bool = False
    in_every_run: bool = False

    @property
    def step_tolerance(self):
        return DEVICE_BOUND if self.is_device_bound else HOST_BOUND


READS = "--loss-every 1"
AHEAD = "--loss-every 0"
PAIRS = (
    Pair("item read each step", "host-sync", f"{READS} --host-work 0:15", f"{AHEAD} --host-work 0:15"),
    Pair("reads in each layer", "host-sync", f"{AHEAD} --sync-every-layer --host-work 0:12", f"{AHEAD} --host-work 0:12",
         in_every_run=True),
    Pair("pageable input", "input-copies", f"{AHEAD} --pageable --copy-stream compute", AHEAD, steps=40,
         devices="time_scale=4", is_device_bound=True),
    Pair("unfused optimizer", "unfused-optimizer", f"{READS} --unfused-optimizer", READS),
    Pair("slow loader", "data-wait", f"{AHEAD} --loader-ms 40", f"{AHEAD} --loader-ms 40 --loader-workers 4 --prefetch 8",
         in_every_run=True),
    Pair("loading in the training thread", "data-wait", f"{READS} --loader-on-main-thread --loader-ms 15",
         f"{READS} --loader-ms 15"),
    Pair("launch-bound", "launch-bound", f"{READS} --slices 40", f"{READS} --slices 40 --graph", in_every_run=True),
    Pair("allocations", "allocation", f"{READS} --scratch malloc --host-work 0:4", f"{READS} --host-work 0:4"),
    Pair("a sleep", "host-stall", f"{READS} --host-stall 0:15 --host-work 0:4", f"{READS} --host-work 0:4",
         in_every_run=True),
    Pair("a function of the host on the stream", "dependency", f"{AHEAD} --host-function-ms 20", AHEAD, steps=40,
         devices="time_scale=4", is_device_bound=True),
    Pair("item read each step, two ranks", "host-sync", f"{READS} --host-work 0:12,1:12", f"{AHEAD} --host-work 0:12,1:12",
         ranks=2),
    Pair("one rank sleeps", "straggler", f"{READS} --host-stall 1:15 --host-work 0:4,1:4", f"{READS} --host-work 0:4,1:4",
         ranks=2),
)


@dataclasses.dataclass
class Turn:
    """Steps in ns, and the verdict's class."""

    bare: float
    full: float  # by the program's own clock
    light: float
    mended: float
    step: float  # of the report
    becomes: float | None  # with the repair; None: it has no price
    why_unpriced: str
    slowdown: float | None
    disturbance: dict
    verdict: str
    undisturbed_verdict: str
    clean_verdict: str = ""

    @property
    def step_off(self):
        return self.step / self.bare - 1

    @property
    def price_off(self):
        return None if self.becomes is None else (self.becomes - self.mended) / self.bare

    @property
    def slowdown_off(self):
        return None if self.slowdown is None else self.slowdown - (self.full / self.bare - 1)


class Simulated:
    """Runs trainings, with and without the recorder. `libraries`: the simulated stack's folder."""

    def __init__(self, tauprof, training, libraries, folder):
        self.tauprof, self.training, self.libraries = tauprof, training, libraries
        self.folder = pathlib.Path(folder)

    def run(self, pair, options, devices="", recorded=None, variables=None):
        """The program's own step. `recorded`: the name of the logs' folder."""
        command = [ROOT / "scripts" / "with-simgpu", "--options",
                   ",".join(filter(None, [f"costs={COSTS}", pair.devices, devices])), "--"]
        if recorded:
            shutil.rmtree(self.folder / recorded, ignore_errors=True)
            command += [self.tauprof, "run", "-o", self.folder / recorded, "--"]
        command += [self.training, "--small", "--timing", "--steps", pair.steps, *options.split()]
        command += ["--ranks", pair.ranks] if pair.ranks else []
        environment = {**os.environ, "SIMGPU_LIBRARY_DIR": str(self.libraries), **(variables or {})}
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise RuntimeError(f"training: exit status {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
        return 1e6 * statistics.mean(float(ms) for step, ms in TOOK.findall(done.stdout)
                                     if WARM_UP <= int(step) < pair.steps - LAST)

    def report(self, pair, logs, *options):
        done = subprocess.run([str(self.tauprof), "analyze", str(self.folder / logs), "--steps",
                               f"{WARM_UP}:{pair.steps - LAST - 1}", *options, "--json", "-"], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"analyze: exit status {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout)


def run_turn(simulated, pair):
    bare = simulated.run(pair, pair.defect)
    full = simulated.run(pair, pair.defect, "cupti_disturbs=1", recorded="full")
    light = simulated.run(pair, pair.defect, "cupti_disturbs=1", recorded="light",
                          variables={"TAUPROF_DEVICE_TIMING": "off"})
    mended = simulated.run(pair, pair.mended)
    simulated.run(pair, pair.defect, recorded="clean")
    report = simulated.report(pair, "full", "--host-times", str(simulated.folder / "light"))
    step = report["steps"]["duration_ns"]["mean"]
    found = [one for one in report["findings"] if one["id"] == pair.finding]
    saves = found[0]["saves_ns_per_step"] if found else None
    return Turn(bare, full, light, mended, step, None if saves is None else step - saves,
                found[0]["saves_reason"] if found else f"not found: {', '.join(one['id'] for one in report['findings'])}",
                report["disturbance"]["slowdown"], report["disturbance"],
                simulated.report(pair, "full")["verdict"]["class"], report["verdict"]["class"],
                simulated.report(pair, "clean")["verdict"]["class"])


@dataclasses.dataclass
class Outcome:
    """Medians of the turns of a pair."""

    pair: Pair
    turns: list

    def median(self, value):
        known = [value(turn) for turn in self.turns if value(turn) is not None]
        return statistics.median(known) if known else None

    @property
    def noise(self):
        """How far equal bare runs lie apart, in shares of the step."""
        bare = [turn.bare for turn in self.turns]
        return (max(bare) - min(bare)) / statistics.median(bare)

    @property
    def step_off(self):
        """Of medians: what the turns of a busy machine have in common is not there in each."""
        return self.median(lambda turn: turn.step) / self.median(lambda turn: turn.bare) - 1

    @property
    def price_off(self):
        becomes = self.median(lambda turn: turn.becomes)
        if becomes is None:
            return None
        return (becomes - self.median(lambda turn: turn.mended)) / self.median(lambda turn: turn.bare)

    @property
    def slowdown(self):
        return self.median(lambda turn: turn.full) / self.median(lambda turn: turn.bare) - 1

    @property
    def slowdown_off(self):
        said = self.median(lambda turn: turn.slowdown)
        return None if said is None else said - self.slowdown

    @property
    def verdict(self):
        """Of most turns: (of the report, of a recording that disturbs nothing)"""
        return tuple(statistics.mode(getattr(turn, which) for turn in self.turns)
                     for which in ("undisturbed_verdict", "clean_verdict"))

    def faults(self):
        """The results that are not as asked, in words; empty if all are."""
        faults = []
        if abs(self.step_off) > self.pair.step_tolerance:
            faults.append(f"the step is off by {self.step_off:+.1%}")
        if self.verdict[0] != self.verdict[1]:
            faults.append(f"the verdict is {self.verdict[0]}, undisturbed {self.verdict[1]}")
        if self.price_off is None:
            faults.append(f"no price: {self.turns[0].why_unpriced}")
        elif abs(self.price_off) > PRICE:
            faults.append(f"the price is off by {self.price_off:+.1%} of the step")
        if self.slowdown_off is None:
            faults.append(f"the slowdown is not known: {self.turns[0].disturbance['reason']}")
        elif abs(self.slowdown_off) > SLOWDOWN:
            faults.append(f"the slowdown is off by {100 * self.slowdown_off:+.1f} points")
        return faults


def run_pair(simulated, pair, turns):
    return Outcome(pair, [run_turn(simulated, pair) for _ in range(turns)])


def percent(value):
    return "–" if value is None else f"{100 * value:+.1f}"


def table_row(outcome):
    of = outcome.median
    verdict, clean = outcome.verdict
    becomes = of(lambda turn: turn.becomes)
    bare, light, full, step, mended = (f"{of(lambda turn, which=which: getattr(turn, which)) / 1e6:.2f}"
                                       for which in ("bare", "light", "full", "step", "mended"))
    return [outcome.pair.name, bare, f"{100 * outcome.noise:.1f}", light, full, step, percent(outcome.step_off), mended,
            "–" if becomes is None else f"{becomes / 1e6:.2f}",
            percent(outcome.price_off), percent(outcome.slowdown), percent(outcome.slowdown_off),
            verdict if verdict == clean else f"{verdict} (undisturbed: {clean})"]


TABLE_HEADS = ["job", "bare, ms", "apart, %", "hooks alone, ms", "recorded, ms", "report, ms", "off, %", "repaired, ms",
               "the report's, ms", "off, % of bare", "slowdown, %", "off, points", "verdict"]
