"""Runs programs and measures wall time, CPU time, peak memory, and the use of the machine by others."""

import dataclasses
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

LAUNCH = pathlib.Path(__file__).resolve().parent / "launch.py"


class BenchError(Exception):
    """An error whose text is one line for the user."""


@dataclasses.dataclass
class Run:
    seconds: float
    cpu_seconds: float
    peak_mb: float  # of the largest of its processes; from 10 MB on (see launch.py)
    output: str


def run(command):
    """Runs a command to its end. Its output goes to files, because a full pipe would block it."""
    command = [str(word) for word in command]
    with tempfile.NamedTemporaryFile("r") as result, tempfile.TemporaryFile("w+") as output, \
            tempfile.TemporaryFile("w+") as errors:
        subprocess.run([sys.executable, "-I", "-S", LAUNCH, result.name, *command], stdin=subprocess.DEVNULL,
                       stdout=output, stderr=errors, check=False)
        output.seek(0)
        errors.seek(0)
        status, seconds, cpu_seconds, peak_kb = (result.read() or "127 0 0 0").split()
        if status != "0":
            lines = errors.read().strip().splitlines()[-1:]
            raise BenchError(f"{' '.join(command)}: exit status {status}: {' '.join(lines)}")
        return Run(float(seconds), float(cpu_seconds), int(peak_kb) * 1024 / 1e6, output.read())


def alternating(rounds, subjects):
    """Runs the subjects alternately, once to warm up and `rounds` times measured; returns {name: [Run]}."""
    results = {name: [] for name in subjects}
    for number in range(rounds + 1):
        for name, subject in subjects.items():
            result = subject()
            if number > 0:
                results[name].append(result)
    return results


def measure(what, unit, values, runs=(), **aim):
    """A line of a table. `aim`: at_least=X for the median, or below=X for every run."""
    values = list(values)
    line = {"what": what, "unit": unit, "median": statistics.median(values), "min": min(values), "max": max(values),
            "values": values}
    if runs:
        line["cpu_seconds"] = statistics.median(r.cpu_seconds for r in runs)
        line["peak_mb"] = max(r.peak_mb for r in runs)
    if "at_least" in aim:
        line["aim"], line["met"] = f"≥ {aim['at_least']:g}", line["median"] >= aim["at_least"]
    if "below" in aim:
        line["aim"], line["met"] = f"< {aim['below']:g}", line["max"] < aim["below"]
    return line


def busy_seconds():
    """CPU seconds that the whole machine has used so far, including stolen time."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class LoadWatch:
    """The load at the start of a section, and the share of all cores that other processes used during it."""

    def __init__(self):
        self.load = os.getloadavg()[0]
        self.start, self.busy, self.own = time.perf_counter(), busy_seconds(), own_seconds()

    def result(self):
        elapsed = time.perf_counter() - self.start
        others = (busy_seconds() - self.busy - (own_seconds() - self.own)) / (elapsed * os.cpu_count())
        return {"load_at_start": self.load, "others_share": max(0.0, others), "seconds": elapsed}
