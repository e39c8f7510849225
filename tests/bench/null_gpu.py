"""Whether `tauprof run --null-gpu` predicts the rate of an input-bound training, compared with its loader alone."""

import os
import pathlib
import re
import shutil
import subprocess

from measuring import BenchError, measure

HERE = pathlib.Path(__file__).resolve().parent
THRESHOLD = 3.0         # per cent between prediction and loader
SCATTER = THRESHOLD / 2  # per cent between equal runs; beyond that, nothing can be concluded
BATCH = 8
LOADER_MS = 300  # long compared with the late wake-ups of sleeping processes


class NullGpu:
    def __init__(self, bench):
        self.logs = bench.folder / "null-gpu"
        self.tauprof = bench.programs["tauprof"]
        self.batches = 30 if bench.quick else 40
        self.build = bench.root / "build" / "release"
        own_python = bench.root / "build" / "pytorch" / "cuda13" / "bin" / "python"  # by scripts/test-pytorch
        self.python = os.environ.get("TAUPROF_PYTORCH_PYTHON", str(own_python))

    def run(self, command):
        environment = {**os.environ, "SIMGPU_LIBRARY_DIR": str(self.build / "lib" / "simgpu")}
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise BenchError(f"{command[0]}: exit status {done.returncode}: {' '.join(done.stderr.splitlines()[-1:])}")
        return done

    def predicted(self, *command):
        """Batches per second, by `tauprof run --null-gpu`."""
        shutil.rmtree(self.logs, ignore_errors=True)
        said = self.run([self.tauprof, "run", "--null-gpu", "-o", self.logs, "--", *command]).stderr
        return float(re.search(r"null GPU: ([\d.]+) steps/s", said)[1])

    def pytorch(self):
        return [self.python, HERE / "input_bound_training.py", "--batches", str(self.batches), "--batch", str(BATCH),
                "--batch-ms", str(LOADER_MS)]

    def pytorch_predicted(self):
        return self.predicted(*self.pytorch())

    def pytorch_loader(self):
        return float(re.match(r"[\d.]+", self.run([*self.pytorch(), "--alone"]).stdout)[0]) / BATCH

    def training_predicted(self):
        return self.predicted(self.build / "tests" / "workloads" / "training", "--small", "--loader-ms", str(LOADER_MS),
                              "--steps", str(self.batches), "--loss-every", "1")


def difference(first, second):
    return 100 * abs(second / first - 1)


def pairs(rounds, loader, predicted):
    """Each round runs loader, prediction, loader, prediction: one pair to compare, and two pairs of equal runs."""
    return [(loader(), predicted(), loader(), predicted()) for _ in range(rounds)]


def lines(name, runs, is_loader_measured):
    loader = [rate for run in runs for rate in run[::2]]
    equal = [difference(run[1], run[3]) for run in runs]
    if is_loader_measured:
        equal += [difference(run[0], run[2]) for run in runs]
    return [measure(f"{name}: the loader alone", "batches/s", loader),
            measure(f"{name}: predicted", "batches/s", [rate for run in runs for rate in run[1::2]]),
            measure(f"{name}: prediction against loader", "% apart", [difference(*run[:2]) for run in runs],
                    below=THRESHOLD),
            measure(f"{name}: equal runs", "% apart", equal, below=SCATTER)]


def conclusion(measures):
    differs, scatters = measures[-2], measures[-1]
    if not scatters["met"]:
        return "inconclusive, which counts as a failure: equal runs scatter too much on this machine, now"
    return f"predicted within {THRESHOLD:g} %" if differs["met"] else f"NOT predicted within {THRESHOLD:g} %"


def null_gpu_section(bench):
    subject = NullGpu(bench)
    facts = [f"Steps are bound by a loader that sleeps; {bench.rounds} rounds of loader, prediction, loader, "
             f"prediction. Equal runs must agree within {SCATTER:g} %, or nothing is concluded; no run is repeated."]
    training = lines(f"`training`, {LOADER_MS} ms a batch",
                     pairs(bench.rounds, lambda: 1e3 / LOADER_MS, subject.training_predicted), False)
    facts.append(f"`tests/workloads/training` (its loader's rate is known, not measured): {conclusion(training)}.")
    if not os.path.exists(subject.python):
        facts.append("SKIPPED: PyTorch's DataLoader: no PyTorch here; TAUPROF_PYTORCH_PYTHON names one that has.")
        return {"title": "Prediction of --null-gpu", "facts": facts, "measures": training}
    pytorch = lines("PyTorch, 1 worker", pairs(bench.rounds, subject.pytorch_loader, subject.pytorch_predicted), True)
    facts.append(f"PyTorch's DataLoader: {conclusion(pytorch)}.")
    return {"title": "Prediction of --null-gpu", "facts": facts, "measures": training + pytorch}
