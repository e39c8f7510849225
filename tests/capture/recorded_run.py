"""Runs commands with and without the recorder, on simulated devices or none, and keeps their output and files."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from dataclasses import dataclass

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent / "simgpu" / "truth"), str(HERE.parent)]

import compare_with_truth  # noqa: E402
from recorded_log import read_log  # noqa: E402

COSTS = HERE.parent / "workloads" / "costs.txt"
OPTIONS = f"costs={COSTS}"
WITH_SIMGPU = os.environ.get("TAUPROF_WITH_SIMGPU", str(ROOT / "scripts" / "with-simgpu"))


def program(variable):
    path = os.environ.get(variable)
    if not path or not os.path.exists(path):
        pytest.skip(f"{variable} does not name the program to test")
    return path


def fault_program(name):
    return str(pathlib.Path(program("TAUPROF_CAPTURE_PROGRAMS")) / name)


def training(arguments="", ranks=0):
    of_ranks = ["--ranks", str(ranks)] if ranks else []
    return [program("TAUPROF_TRAINING"), "--small", *arguments.split(), *of_ranks]


def environment_with(preload, variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TAUPROF_")}
    if preload:
        before = environment.get("LD_PRELOAD")
        library = program("TAUPROF_PRELOAD")
        environment["LD_PRELOAD"] = f"{before}:{library}" if before else library
    environment.update(variables)
    return environment


@dataclass
class RecordedRun:
    """A finished command. The folders `logs` and `truth` may not exist."""
    status: int
    output: str
    errors: str
    logs: pathlib.Path
    truth: pathlib.Path

    def log_files(self):
        return sorted(self.logs.glob("*.tauprof"))

    def read_logs(self):
        return [read_log(program("TAUPROF_BIN"), path) for path in self.log_files()]

    def only_log(self):
        [log] = self.read_logs()
        return log

    def check(self):
        return tauprof("check", str(self.logs))

    def faults(self, *options):
        """The differences between the logs and the truth; "" if they agree."""
        given = [str(self.logs), str(self.truth), "--tauprof", program("TAUPROF_BIN"), *options]
        done = subprocess.run([sys.executable, compare_with_truth.__file__, *given], capture_output=True, text=True,
                              check=False)
        return "" if done.returncode == 0 else done.stdout + done.stderr

    def report(self, *options):
        done = tauprof("analyze", str(self.logs), "--json", "-", *options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def health(self, *options):
        """(exit status, {id: check})"""
        done = tauprof("health", str(self.logs), "--json", "-", *options)
        document = json.loads(done.stdout)
        assert document["schema"] == "tauprof.health/1"
        return done.returncode, {check["id"]: check for check in document["checks"]}

    def what_the_user_sees(self):
        return self.status, self.output, self.errors


def tauprof(*arguments):
    return subprocess.run([program("TAUPROF_BIN"), *arguments], capture_output=True, text=True, check=False)


def simulated(command, truth=None, options=""):
    written = ["--truth", str(truth)] if truth else []
    return [WITH_SIMGPU, *written, "--options", ",".join(filter(None, [OPTIONS, options])), "--", *command]


class Recorder:
    """Starts commands, each with its own folders under `folder`."""

    def __init__(self, folder):
        self.folder = folder
        self.runs = 0

    def start(self, command, *, preload=True, simulation=True, options="", variables=None, **popen):
        self.runs += 1
        logs, truth = self.folder / f"logs{self.runs}", self.folder / f"truth{self.runs}"
        if simulation:
            command = simulated(command, truth, options)
        environment = environment_with(preload, {"TAUPROF_DIR": str(logs), **(variables or {})})
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment, **popen)
        return process, logs, truth

    def finish(self, started, timeout=100):
        process, logs, truth = started
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            raise AssertionError(f"{process.args} still runs after {timeout} s: {output}{errors}") from None
        return RecordedRun(process.returncode, output, errors, logs, truth)

    def run(self, command, timeout=100, **how):
        return self.finish(self.start(command, **how), timeout)
