"""Models that are well known: the report's operations are those that PyTorch's own counter counts, or said to be more."""

from __future__ import annotations

import json
import sys

from check import Check, Lacked
from pieces import SCENARIOS

sys.path.insert(0, str(SCENARIOS))

from known_model_list import MODELS, PROGRAM, faults_of, outcome_of  # noqa: E402

TIMEOUT_S = 1200
STEPS = 8
# Compilers take minutes, and compute the same.
BY_HAND = [model for model in MODELS if model.by_hand and "--compile" not in model.arguments]
OF_LIBRARIES = [model for model in MODELS if not model.by_hand and "--compile" not in model.arguments]


def counts_of(trial, models):
    """By the program's arguments. All in one process, which imports for seconds."""
    wanted = sorted({counted for model in models for counted in (model.counted_as(), model.without_recomputation())})
    run = trial.runs.run([trial.python, SCENARIOS / "scenarios" / PROGRAM, "--count", *wanted], recorded=False)
    if run.status != 0 and "ModuleNotFoundError" in run.errors:
        raise Lacked(run.errors.strip().splitlines()[-1])
    trial.expect(f"PyTorch counts (it ended with {run.status}: {run.errors[-200:]})", run.status == 0)
    rows = [json.loads(line) for line in run.output.splitlines() if line.startswith("{")]
    return {row["model"]: row["flops_by_groups"] for row in rows}


def look(trial, models):
    """Which kernels compute attention is PyTorch's choice here, so a lower bound is as good as an equal number."""
    trial.need_torch()
    counts, table = counts_of(trial, models), {}
    for model in models:
        if model.counted_as() not in counts:
            continue
        command = [trial.python, SCENARIOS / "scenarios" / PROGRAM, *model.arguments.split(), "--steps", STEPS]
        run = trial.runs.run(command)
        if not trial.expect(f"{model.arguments} ends with 0 (it ended with {run.status})", run.status == 0):
            continue
        efficiency = trial.logs(run).report()["efficiency"]
        executed, needed = counts[model.counted_as()], counts[model.without_recomputation()]
        table[model.arguments] = {
            "executed_by_pytorch": executed, "executed": efficiency["executed_flops"], "model_by_pytorch": needed,
            "model": efficiency["model_flops"], "mfu": efficiency["mfu"], "hfu": efficiency["hfu"],
            "outcome": outcome_of(efficiency), "uncounted_share": efficiency["uncounted_share"]}
        for fault in faults_of(efficiency, executed, needed):
            trial.expect(f"{model.arguments}: {fault}", False)
    trial.note(models=table)


CLAIM = "Operations that the report counts are those of PyTorch's own counter, or said to be more: "
CHECKS = (
    Check("known-models", CLAIM + "models by hand (GPT, nanoGPT, experts, DLRM).", lambda trial: look(trial, BY_HAND),
          TIMEOUT_S),
    Check("known-models-of-libraries", CLAIM + "of transformers, torchvision and PEFT.",
          lambda trial: look(trial, OF_LIBRARIES), TIMEOUT_S),
)
