"""Those checks for real GPUs that need PyTorch, on simulated ones (docs/gpu-acceptance.md)."""

import json
import pathlib
import subprocess
import sys

import pytest

from scenario_runs import python_with_torch

GPU_ACCEPTANCE = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "gpu-acceptance"
PASS = ("torch-1", "torch-2", "hung-collective", "torch-profiler", "torch-compile", "expandable-segments", "known-models",
        "scenario-mlp")
MEASURE = ("toggle-torch",)


@pytest.mark.full
def test_the_checks_with_pytorch_pass(tmp_path):
    only = [word for name in PASS + MEASURE for word in ("--only", name)]
    done = subprocess.run([sys.executable, GPU_ACCEPTANCE, "--simulated", "--rounds", "1", "--seconds", "0.8", "--python",
                           python_with_torch(), "--out", tmp_path / "result.json", *only], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert {check["check"]: check["outcome"] for check in told["checks"]} == {
        **dict.fromkeys(PASS, "passed"), **dict.fromkeys(MEASURE, "measured")}
