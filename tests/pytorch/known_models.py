"""The table of models that are well known: PyTorch's own count of a step's operations, the report's, and its MFU.

Each must be equal to PyTorch's, or said to be more, or not be given at all. docs/results/known-models.md is written by
write_model_table.py.
"""

from __future__ import annotations

import dataclasses
import json
import re

from recorded_run import Recorder, tauprof
from scenario_runs import python_with_torch
from scenario_table import Scenario

WITHIN = 0.01
EQUAL, MORE, NOT_KNOWN = "equal", "or more", "not known"
PROGRAM = "train_known_model.py"
CHECKPOINT = " --checkpoint"
TIMEOUT_S = 300


@dataclasses.dataclass(frozen=True)
class KnownModel:
    says: str
    arguments: str
    expected: str = EQUAL
    by_hand: bool = False  # needs no library but PyTorch

    def counted_as(self):
        """What PyTorch counts: the operations are the same, compiled, captured or not."""
        return re.sub(r" --(compile( reduce-overhead)?|whole-step)", "", self.arguments)

    def without_recomputation(self):
        return self.counted_as().replace(CHECKPOINT, "")


def _with_checkpoints(says, arguments, expected=EQUAL, by_hand=False):
    return [KnownModel(says, arguments, expected, by_hand),
            KnownModel(f"{says}, checkpointed", arguments + CHECKPOINT, expected, by_hand)]


MODELS = [
    *_with_checkpoints("GPT by hand, attention as products", "gpt", by_hand=True),
    KnownModel("GPT by hand, compiled into CUDA graphs", "gpt --compile reduce-overhead"),
    KnownModel("GPT by hand, the step one CUDA graph", "gpt --whole-step", NOT_KNOWN, by_hand=True),
    *_with_checkpoints("nanoGPT, 163 million parameters", "nanogpt", by_hand=True),
    KnownModel("nanoGPT, compiled", "nanogpt --compile"),
    *_with_checkpoints("GPT-2, eager attention", "gpt2 --attention eager"),
    *_with_checkpoints("GPT-2, PyTorch's choice (flash)", "gpt2", MORE),
    KnownModel("GPT-2, compiled", "gpt2 --compile", MORE),
    KnownModel("Llama, eager attention", "llama --attention eager"),
    KnownModel("Llama, attention of products", "llama --attention math"),
    KnownModel("Llama, flash attention", "llama --attention flash", MORE),
    KnownModel("Llama, memory-efficient attention", "llama --attention efficient", MORE),
    *_with_checkpoints("Llama, cuDNN's attention", "llama --attention cudnn"),
    KnownModel("Llama, compiled", "llama --attention cudnn --compile"),
    *_with_checkpoints("BERT, eager attention", "bert --attention eager"),
    KnownModel("BERT, PyTorch's choice (flash)", "bert", MORE),
    *_with_checkpoints("T5", "t5", MORE),
    *_with_checkpoints("ResNet-50", "resnet50"),
    KnownModel("ResNet-50, float32", "resnet50 --precision fp32"),
    *_with_checkpoints("ConvNeXt-T", "convnext"),
    *_with_checkpoints("ViT", "vit"),
    *_with_checkpoints("experts by hand, as one batched product", "experts", by_hand=True),
    *_with_checkpoints("Mixtral, experts as grouped products", "mixtral", MORE),
    *_with_checkpoints("Llama with LoRA of PEFT", "lora --attention cudnn"),
    KnownModel("DLRM", "dlrm", by_hand=True),
]


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
        self.by_pytorch = counts[model.counted_as()]["flops"]
        self.executed = counts[model.counted_as()]["flops_by_groups"]
        self.model = counts[model.without_recomputation()]["flops_by_groups"]
        recorder = Recorder(folder)
        command = Scenario("", PROGRAM, model.arguments, steps=8).command(python_with_torch())
        run = recorder.finish(recorder.start(command, cwd=folder, variables={
            "OMP_NUM_THREADS": "1", "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")}), TIMEOUT_S)
        assert run.status == 0, run.errors
        self.of = run.report()["efficiency"]
        self.printed = tauprof("analyze", str(run.logs), "--show", "efficiency").stdout

    def outcome(self):
        if self.of["mfu"] is None:
            return NOT_KNOWN
        return MORE if self.of["is_lower_bound"] else EQUAL

    def faults(self):
        """In what the report is wrong; empty: nothing."""
        found = []
        if self.outcome() != self.expected:
            found.append(f"is {self.outcome()}, not {self.expected}")
        for name, ours, theirs in (("executed_flops", self.of["executed_flops"], self.executed),
                                   ("model_flops", self.of["model_flops"], self.model)):
            if ours is None:
                if name == "executed_flops" or self.outcome() != NOT_KNOWN:
                    found.append(f"{name} is not known")
            elif ours > theirs * (1 + WITHIN):
                found.append(f"{name} is {ours:.6g}, more than {theirs:.6g}")
            elif not self.of["is_lower_bound"] and ours < theirs * (1 - WITHIN):
                found.append(f"{name} is {ours:.6g}, not {theirs:.6g}")
        if self.outcome() == NOT_KNOWN and not self.of["no_mfu_because"]:
            found.append("nothing says why MFU is not known")
        if self.of["is_lower_bound"] and not self.of["uncounted"]:
            found.append("nothing says what is not counted")
        return found

    def what_is_printed(self):
        """The line of MFU, and why it is not known or a lower bound."""
        lines = [" ".join(line.split()) for line in self.printed.splitlines()]
        said = [line for line in lines if line.startswith("MFU")]
        said += [line for line in lines if line.startswith("of unknown size")]
        return "; ".join(said)
