"""The models that are well known, and what is wrong with a report of one.

A report's operations must be equal to PyTorch's own count, or said to be more, or its MFU must not be given at all.
"""

from __future__ import annotations

import dataclasses
import re

PROGRAM = "train_known_model.py"
WITHIN = 0.01
EQUAL, MORE, NOT_KNOWN = "equal", "or more", "not known"
CHECKPOINT = " --checkpoint"


@dataclasses.dataclass(frozen=True)
class KnownModel:
    says: str
    arguments: str
    expected: str = EQUAL
    by_hand: bool = False  # needs no library but PyTorch

    def counted_as(self):
        """The arguments that PyTorch counts with: the operations are the same, compiled, captured or not."""
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
    *_with_checkpoints("GPT-2, PyTorch's choice (flash)", "gpt2"),
    KnownModel("GPT-2, compiled", "gpt2 --compile"),
    KnownModel("Llama, eager attention", "llama --attention eager"),
    KnownModel("Llama, attention of products", "llama --attention math"),
    KnownModel("Llama, flash attention", "llama --attention flash"),
    KnownModel("Llama, memory-efficient attention", "llama --attention efficient", MORE),
    *_with_checkpoints("Llama, cuDNN's attention", "llama --attention cudnn"),
    KnownModel("Llama, compiled", "llama --attention cudnn --compile"),
    *_with_checkpoints("BERT, eager attention", "bert --attention eager"),
    KnownModel("BERT, PyTorch's choice (flash)", "bert"),
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


def outcome_of(efficiency):
    if efficiency["mfu"] is None:
        return NOT_KNOWN
    return MORE if efficiency["is_lower_bound"] else EQUAL


def faults_of(efficiency, executed, model):
    """In what the report is wrong, whose operations are these by PyTorch's count; empty: nothing."""
    found = []
    outcome = outcome_of(efficiency)
    for name, theirs in (("executed_flops", executed), ("model_flops", model)):
        ours = efficiency[name]
        if ours is None:
            if name == "executed_flops" or outcome != NOT_KNOWN:
                found.append(f"{name} is not known")
        elif ours > theirs * (1 + WITHIN):
            found.append(f"{name} is {ours:.6g}, more than {theirs:.6g}")
        elif not efficiency["is_lower_bound"] and ours < theirs * (1 - WITHIN):
            found.append(f"{name} is {ours:.6g}, not {theirs:.6g}")
    if outcome == NOT_KNOWN and not efficiency["no_mfu_because"]:
        found.append("nothing says why MFU is not known")
    if efficiency["is_lower_bound"] and not efficiency["uncounted"]:
        found.append("nothing says what is not counted")
    return found
