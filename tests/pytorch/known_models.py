"""Runs models that are well known (known_model_list.py) recorded, and by PyTorch's own counter of operations."""

from __future__ import annotations

import json

from known_model_list import PROGRAM, faults_of, outcome_of
from recorded_run import Recorder, tauprof
from scenario_runs import python_with_torch
from scenario_table import Scenario

TIMEOUT_S = 300


def counts_of_pytorch(folder, models):
    """{arguments: {"flops": as PyTorch counts, "flops_by_groups": without its error in grouped convolutions}}"""
    wanted = sorted({counted for model in models for counted in (model.counted_as(), model.without_recomputation())})
    recorder = Recorder(folder)
    command = [python_with_torch(), str(Scenario("", PROGRAM).path()), "--count", *wanted]
    run = recorder.finish(recorder.start(command, preload=False, cwd=folder), TIMEOUT_S)
    assert run.status == 0, run.errors
    rows = [json.loads(line) for line in run.output.splitlines() if line.startswith("{")]
    return {row["model"]: row for row in rows}


class Counted:
    """A recorded run of a model beside PyTorch's counts."""

    def __init__(self, folder, model, counts):
        self.expected = model.expected
        self.executed = counts[model.counted_as()]["flops_by_groups"]
        self.model = counts[model.without_recomputation()]["flops_by_groups"]
        recorder = Recorder(folder)
        command = Scenario("", PROGRAM, model.arguments, steps=8).command(python_with_torch())
        run = recorder.finish(recorder.start(command, cwd=folder, variables={
            "OMP_NUM_THREADS": "1", "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")}), TIMEOUT_S)
        assert run.status == 0, run.errors
        self.of = run.report()["efficiency"]
        self.printed = tauprof("analyze", str(run.logs), "--show", "efficiency").stdout

    def faults(self):
        outcome = outcome_of(self.of)
        unexpected = [f"is {outcome}, not {self.expected}"] if outcome != self.expected else []
        return unexpected + faults_of(self.of, self.executed, self.model)

    def what_is_printed(self):
        """The line of MFU, and why it is not known or a lower bound."""
        lines = [" ".join(line.split()) for line in self.printed.splitlines()]
        said = [line for line in lines if line.startswith("MFU")]
        said += [line for line in lines if line.startswith("of unknown size")]
        return "; ".join(said)
