"""The replay's prediction, against a run in which it is so: training on simulated GPUs, with a defect and without.

Each round runs defect, cure, defect, cure, with the same random durations, and other ones than other rounds. The replay
of a run with the defect predicts the step of the one without; the two equal runs beside them show how much equal runs
scatter. Where they scatter by more than half of what is to be shown, nothing is concluded, which counts as a failure.
"""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
COSTS = ROOT / "tests" / "workloads" / "costs.txt"
SIZE = "--ranks 2 --layers 16 --loss-every 0"  # steps of some 320 ms, in which hosts mostly sleep
STEPS = 10
SCATTER = 0.015  # of the step between equal runs; beyond that, nothing can be concluded


@dataclasses.dataclass
class Pair:
    name: str
    question: str  # of tauprof whatif
    defect: str = ""  # options of the training
    cure: str = ""
    defect_machine: str = ""  # options of the simulated stack
    cure_machine: str = ""


PAIRS = [
    Pair("a rank with 25 % more work", "--fix rank:1", defect="--slow-rank 1:25"),
    Pair("a slow device", "--fix rank:1", defect_machine="slow=1:1.3"),
    Pair("pauses of the host", "--without stalls", defect="--host-stall 1:150 --sync-every-step",
         cure="--sync-every-step"),
    Pair("pauses of one rank, every third step", "--without stalls,rank:0", defect="--host-stall 0:200:3 --sync-every-step",
         cure="--sync-every-step"),
    Pair("a loader that is late", "--without data-waits", defect="--data-stall 1:400 --loader-on-main-thread"),
    Pair("a rank that waits for each layer", "--fix rank:1", defect="--layer-sync 1:8"),
    Pair("links of half the speed", "--speed op:all_reduce=2x", defect_machine="beta_gb_per_s=8,alpha_us=40",
         cure_machine="beta_gb_per_s=16,alpha_us=20"),
    Pair("buckets that end long after the pass", "--bucket-mb 256", defect="--bucket-mb 1024", cure="--bucket-mb 256",
         defect_machine="beta_gb_per_s=40", cure_machine="beta_gb_per_s=40"),
]


class Simulated:
    """Records and replays trainings. `libraries`: the simulated stack's folder."""

    def __init__(self, tauprof, training, libraries, folder, steps=STEPS):
        self.tauprof, self.training, self.libraries = tauprof, training, libraries
        self.folder, self.steps = pathlib.Path(folder), steps
        self.seed = 1

    def record(self, options, machine):
        logs = self.folder / "logs"
        shutil.rmtree(logs, ignore_errors=True)
        environment = {**os.environ, "SIMGPU_LIBRARY_DIR": str(self.libraries)}
        command = [ROOT / "scripts" / "with-simgpu", "--options", f"costs={COSTS},seed={self.seed},{machine}", "--", self.tauprof, "run",
                   "-o", logs, "--", self.training, "--steps", self.steps, *SIZE.split(), *options.split()]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise RuntimeError(f"training: exit status {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
        return logs

    def ask(self, logs, question):
        done = subprocess.run([str(self.tauprof), "whatif", str(logs), "--steps", f"2:{self.steps - 1}", *question.split(),
                               "--json", "-"], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"whatif: exit status {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def measured_ns(self, logs):
        return self.ask(logs, "--without stalls")["step_ns"]


@dataclasses.dataclass
class Outcome:
    defect_ns: int
    cured_ns: int
    predicted_ns: int  # None: the replay did not know
    reason: str
    bounds_ns: tuple  # of the predicted step
    equal_off: float  # of the step: between the equal runs

    @property
    def off(self):
        return None if self.predicted_ns is None else abs(self.predicted_ns - self.cured_ns) / self.cured_ns

    def covers(self, rounding):
        """Whether the step lies within the bounds, give or take what equal runs differ by and `rounding` of it."""
        low, high = self.bounds_ns
        give = (rounding + self.equal_off) * self.cured_ns
        return low - give <= self.cured_ns <= high + give


def run_pair(simulated, pair, number=1):
    """A round."""
    simulated.seed = number
    measured, cured, answer = [], [], None
    for _ in range(2):
        logs = simulated.record(pair.defect, pair.defect_machine)
        said = simulated.ask(logs, pair.question)
        measured.append(said["step_ns"])
        answer = answer or said["scenarios"][0]
        cured.append(simulated.measured_ns(simulated.record(pair.cure, pair.cure_machine)))
    equal = max(abs(one[1] - one[0]) / one[0] for one in (measured, cured))
    bounds = answer["saves_high_ns_per_step"], answer["saves_low_ns_per_step"]
    bounds = tuple(measured[0] - saved for saved in bounds) if None not in bounds else (answer["step_ns"],) * 2
    return Outcome(measured[0], cured[0], answer["step_ns"], answer["reason"], bounds, equal)
