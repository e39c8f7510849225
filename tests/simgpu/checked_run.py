#!/usr/bin/env python3
"""Runs a command on the simulated GPUs and checks the truth that it writes: `checked_run.py COMMAND [ARGUMENT...]`.

The exit status is the command's, or 1 if the truth has a fault. A command that is killed or uses no device leaves no
truth to check.
"""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LAUNCHER = HERE.parent.parent / "scripts" / "with-simgpu"
sys.path.insert(0, str(HERE / "truth"))

from simgpu_truth.check import faults  # noqa: E402
from simgpu_truth.reader import FormatError, read_directory  # noqa: E402


def truth_faults(directory):
    try:
        return list(faults(read_directory(directory)))
    except FormatError as error:
        return [str(error)]


def main(command):
    with tempfile.TemporaryDirectory(prefix="simgpu-truth-") as directory:
        status = subprocess.run([LAUNCHER, "--truth", directory, "--", *command], check=False).returncode
        if status < 0:
            print(f"{command[0]}: killed by signal {-status}", file=sys.stderr)
            return 128 - status
        found = truth_faults(directory)
    for line in found:
        print(f"truth: {line}", file=sys.stderr)
    return status or int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
