"""Runs both jobs of a pair under the recorder, and compares what the report says of the defect with what is without it."""

from __future__ import annotations

import os
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "capture"), str(HERE.parent / "pytorch")]

from pair_outcome import Outcome  # noqa: E402
from recorded_run import Recorder, training  # noqa: E402

SCRIPTS = HERE.parent / "pytorch" / "scenarios"


def command_of(pair, options):
    if not pair.script:
        return training(f"--steps {pair.steps} {options}", pair.ranks)
    python = os.environ.get("TAUPROF_PYTORCH_PYTHON")
    if not python:
        pytest.skip("TAUPROF_PYTORCH_PYTHON names no Python that has PyTorch; scripts/test-pytorch sets it")
    return [python, str(SCRIPTS / pair.script), "--steps", str(pair.steps), *options.split()]


def report_of(pair, options, devices, folder):
    variables = {"OMP_NUM_THREADS": "1", "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")} if pair.script else {}
    folder.mkdir(exist_ok=True)
    run = Recorder(folder).run(command_of(pair, options), timeout=400, options=devices, variables=variables, cwd=folder)
    assert run.status == 0, run.errors
    if pair.only_log_of is not None:
        for path, log in zip(run.log_files(), run.read_logs()):
            if log.rows["process"][-1]["rank"] != pair.only_log_of:
                path.unlink()
    return run.report()


def run_pair(pair, folder):
    defective = ",".join(filter(None, [pair.devices, pair.defective_devices]))
    return Outcome(pair, report_of(pair, pair.defect, defective, folder / "defect"),
                   report_of(pair, pair.mended, pair.devices, folder / "mended"))
