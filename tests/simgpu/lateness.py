#!/usr/bin/env python3
"""Measures how late the simulator wakes a blocked host thread: a blocking call's return against the end in the truth.

    lateness.py PROBE [--rounds N]      (PROBE: the program lateness_probe of the build)

Prints a table: several numbers of processes at the same time, whose hosts sleep or use the CPU between kernels.
"""

import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LAUNCHER = HERE.parent.parent / "scripts" / "with-simgpu"
sys.path.insert(0, str(HERE / "truth"))

from simgpu_truth.reader import read_file  # noqa: E402

KERNEL_US = 10_000
PROCESSES = (1, 4, 8, 16)
BURNS_US = (0, 2_000, 10_000)


def start(probe, rounds, burn_us, directory):
    options = f"costs={HERE / 'conformance' / 'costs.txt'}"
    return subprocess.Popen(
        [LAUNCHER, "--truth", directory, "--options", options, "--", probe, str(rounds), str(KERNEL_US), str(burn_us)],
        stdout=subprocess.PIPE, text=True)


def lateness_us(probe, processes, rounds, burn_us):
    """The lateness of every wake-up in all processes, sorted."""
    late = []
    with tempfile.TemporaryDirectory() as directory:
        running = [start(probe, rounds, burn_us, directory) for _ in range(processes)]
        for process in running:
            woken = [int(line) for line in process.communicate()[0].split()]
            if process.returncode:
                sys.exit(f"lateness: {probe} ended with {process.returncode}")
            truth = read_file(pathlib.Path(directory) / f"truth-{process.pid}.tsv")
            ends = [span.end for span in truth.spans if span.kind == "kernel"]
            late += [(time - end) / 1000 for time, end in zip(woken, ends, strict=True)]
    return sorted(late)


def quantile(ordered, part):
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("probe", metavar="PROBE")
    parser.add_argument("--rounds", type=int, default=200, metavar="N", help="wake-ups of each process")
    given = parser.parse_args()
    print(f"{os.cpu_count()} CPUs, kernels of {KERNEL_US / 1000:.0f} ms; lateness in ms\n")
    print("| processes | host burns | median | 95 % | 99 % | latest | before the end |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for burn_us, processes in itertools.product(BURNS_US, PROCESSES):
        late = lateness_us(given.probe, processes, given.rounds, burn_us)
        quantiles = " | ".join(f"{quantile(late, part) / 1000:.2f}" for part in (0.5, 0.95, 0.99, 1))
        early = sum(value < 0 for value in late)
        print(f"| {processes} | {burn_us / 1000:.0f} ms | {quantiles} | {early} |", flush=True)


if __name__ == "__main__":
    main()
