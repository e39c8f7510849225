"""Starts programs, bare or recorded, on one or more ranks, and keeps what they print and log."""

from __future__ import annotations

import os
import pathlib
import re
import signal
import socket
import subprocess
import time
from dataclasses import dataclass

OURS = "tauprof: "
AFTER_KILL_S = 10  # a process that the kernel does not let go is left behind
AFTER_FAILURE_S = 20  # of another rank, for which this one may wait


@dataclass
class Run:
    """The results of one run of all ranks. `status`: the first that is not 0."""
    status: int
    output: str
    errors: str
    logs: pathlib.Path
    place: pathlib.Path
    seconds: float
    timed_out: bool = False

    def log_files(self):
        return sorted(self.logs.glob("*.tauprof"))

    def printed(self):
        """The output without the parts that differ in every run."""
        return re.sub(r"\b(took|seconds|loss|kernel_us) [0-9.]+", r"\1", self.output)

    def lines_of_recorder(self):
        return [line for line in self.errors.splitlines() if line.startswith(OURS)]


class Runs:
    """Starts programs, each with its own folder under `folder`."""

    def __init__(self, pieces, folder, gpus):
        self.pieces, self.folder, self.gpus = pieces, folder, gpus
        self.number = 0
        self.finished = []

    def start(self, command, *, ranks=1, recorded=True, variables=None, launched=False):
        """`launched`: the environment of a launcher, which several ranks have in any case."""
        self.number += 1
        place = self.folder / f"run{self.number}"
        place.mkdir(parents=True)
        logs, port = place / "logs", free_port()
        processes = []
        for rank in range(ranks):
            environment = {**own_environment(), **(variables or {})}
            if launched or ranks > 1:
                environment.update(self.of_rank(rank, ranks, port))
            if recorded:
                environment.update(self.preloading(environment), TAUPROF_DIR=str(logs))
            with open(place / f"output{rank}", "wb") as output, open(place / f"errors{rank}", "wb") as errors:
                processes.append(subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                                  stdout=output, stderr=errors, cwd=place, env=environment))
        return Started(self, processes, place, logs)

    def preloading(self, environment):
        before = environment.get("LD_PRELOAD")
        return {"LD_PRELOAD": f"{self.pieces.library}:{before}" if before else str(self.pieces.library)}

    def of_rank(self, rank, ranks, port):
        variables = {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(ranks),
                     "LOCAL_WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        if self.gpus < ranks:  # NCCL lets ranks share a GPU only if it takes them for those of several hosts
            variables.update(NCCL_HOSTID=f"host{rank}", NCCL_IB_DISABLE="1", NCCL_SOCKET_IFNAME="lo")
        return variables

    def run(self, command, timeout=120, **how):
        return self.start(command, **how).finish(timeout)

    def said(self):
        """The last lines of each run, newest last."""
        return "\n".join(f"[{run.place.name}: status {run.status}] {(run.output + run.errors).strip()[-700:]}"
                         for run in self.finished)


class Started:
    def __init__(self, runs, processes, place, logs):
        self.runs, self.processes, self.place, self.logs = runs, processes, place, logs
        self.since = time.monotonic()

    def text(self, name):
        return "".join((self.place / f"{name}{rank}").read_text(encoding="utf-8", errors="replace")
                       for rank in range(len(self.processes)))

    def wait_for(self, line, timeout=60):
        """Whether a rank printed this line before the timeout and before all ranks ended."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            is_last_look = not self.is_running()
            if line in self.text("output").splitlines():
                return True
            if is_last_look:
                return False
            time.sleep(0.02)
        return False

    def is_running(self):
        return any(process.poll() is None for process in self.processes)

    def let_run(self, seconds):
        wait_for_all(self.processes, seconds)

    def kill(self):
        """Returns the time of the kill on the clock of the logs."""
        at = time.monotonic_ns()
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
        return at

    def finish(self, timeout=120):
        timed_out = not wait_for_all(self.processes, timeout)
        if timed_out:
            self.kill()
            wait_for_all(self.processes, AFTER_KILL_S)
        statuses = [process.returncode if process.returncode is not None else -signal.SIGKILL
                    for process in self.processes]
        run = Run(next((status for status in statuses if status), 0), self.text("output"), self.text("errors"),
                  self.logs, self.place, time.monotonic() - self.since, timed_out)
        self.runs.finished.append(run)
        return run


def own_environment():
    """Without settings of the recorder that are meant for something else."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TAUPROF_")}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1"}


def wait_for_all(processes, timeout):
    """Whether all have ended: in time, and not long after one that failed."""
    end = time.monotonic() + timeout
    has_failed = False
    while any(process.poll() is None for process in processes):
        if not has_failed and any(process.returncode for process in processes):
            has_failed, end = True, min(end, time.monotonic() + AFTER_FAILURE_S)
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
