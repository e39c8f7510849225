"""Runs every known model recorded and by PyTorch's own counter, and writes docs/results/known-models.md.

    write_model_table.py [WORD...]      # models whose names have a word: prints their rows and leaves the document
"""

import datetime
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from scenario_runs import python_with_torch  # noqa: E402  (it adds the folders of the others)
from known_model_list import MODELS  # noqa: E402
from known_models import Counted, counts_of_pytorch  # noqa: E402

DOCUMENT = HERE.parent.parent / "docs" / "results" / "known-models.md"
PACKAGES = ("torch", "torchvision", "transformers", "peft")
GIGA = 1e9
TEXT = """# MFU of known models

What the report says about well-known models, compared with PyTorch's own counter (`torch.utils.flop_counter`) for the same step. Trained with {versions} on the simulated CUDA stack, {date}, by `scripts/test-pytorch --model-table`; `tests/pytorch/test_known_models.py` asserts it.

- *executed*: operations of a step, with recomputation, in GFLOP; *model*: without. *PyTorch* counts with its hooks in eager mode, with and without activation checkpointing.
- Where the report's operations differ from PyTorch's by more than 1 %, it says "or more" and what it did not count, or gives no number and says why.
- MFU is that of simulated kernels and of a host with two cores, with small models. What matters is whether it is given, and with which remarks.
- PyTorch ignores the groups of a convolution when it counts the gradient of the weights (ConvNeXt: 620 instead of 214 GFLOP). The table has its counts with that formula corrected.
- PyTorch does not count grouped products (Mixtral's experts), so its count is too low there; the report says "or more".
- nanoGPT has its real size (12 layers, 768 wide, 16 texts of 1024 tokens, a vocabulary of 50,304), as do ResNet-50 and ConvNeXt-T; the others are small.

| model | PyTorch: executed | ours | PyTorch: model | ours | printed |
| --- | --- | --- | --- | --- | --- |
{rows}"""


def amount(flops):
    return "–" if flops is None else f"{flops / GIGA:.2f}"


def row(model, counts):
    with tempfile.TemporaryDirectory() as folder:
        counted = Counted(pathlib.Path(folder), model, counts)
    for fault in counted.faults():
        print(f"{model.says}: {fault}", file=sys.stderr)
    cells = [model.says, amount(counted.executed), amount(counted.of["executed_flops"]), amount(counted.model),
             amount(counted.of["model_flops"]), counted.what_is_printed()]
    return "| " + " | ".join(cells) + " |\n"


def versions():
    code = "import importlib.metadata as of, sys\nprint(*(f'{name} {of.version(name)}' for name in sys.argv[1:]), sep=', ')"
    return subprocess.run([python_with_torch(), "-c", code, *PACKAGES], capture_output=True, text=True,
                          check=True).stdout.strip()


def main():
    words = sys.argv[1:]
    models = [model for model in MODELS if not words or any(word in model.says for word in words)]
    with tempfile.TemporaryDirectory() as folder:
        counts = counts_of_pytorch(pathlib.Path(folder), models)
    rows = []
    for model in models:
        rows.append(row(model, counts))
        print(rows[-1], end="", flush=True)
    if not words:
        today = datetime.date.today()
        date = f"{today.day} {today:%B %Y}"
        DOCUMENT.write_text(TEXT.format(versions=versions(), date=date, rows="".join(rows)), encoding="utf-8")


if __name__ == "__main__":
    main()
