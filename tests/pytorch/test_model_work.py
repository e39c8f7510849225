"""A transformer in PyTorch says what it is and what it gets: tokens/s, and a check of what was counted."""

import pytest

from scenario_runs import ScenarioRuns, python_with_torch
from scenario_table import Scenario

pytestmark = pytest.mark.every_python

BATCH, LENGTH, WIDTH, LAYERS, WORDS, PARTS, RANKS = 4, 64, 128, 2, 1000, 3, 2


def parameters():
    """As transformer.py has them, without the table that is only looked up."""
    linear = [(WIDTH, 3 * WIDTH), (WIDTH, WIDTH), (WIDTH, 4 * WIDTH), (4 * WIDTH, WIDTH)]
    block = sum(rows * columns + columns for rows, columns in linear) + 2 * 2 * WIDTH
    return LENGTH * WIDTH + LAYERS * block + 2 * WIDTH + WIDTH * WORDS


def report_of(folder, *more):
    python_with_torch()
    arguments = f"--parallel ddp --accumulate {PARTS} --precision bf16 --batch {BATCH} --evaluate-every 4"
    runs = ScenarioRuns(Scenario("work", "transformer.py", " ".join([arguments, *more]), ranks=RANKS), folder)
    return runs["recorded"].report()


def test_tokens_and_the_formula_follow_from_what_the_model_is_called_with(tmp_path):
    report = report_of(tmp_path)
    assert report["settings"]["module"]["tokens"] == BATCH * LENGTH
    assert report["settings"]["module"]["sequences"] == BATCH
    step = report["steps"]["duration_ns"]["mean"] / 1e9
    tokens = RANKS * PARTS * BATCH * LENGTH
    assert report["steps"]["tokens_from"] == "pytorch"
    assert report["steps"]["tokens_per_s"] == pytest.approx(tokens / step)
    needed = (6 * parameters() + 12 * LAYERS * WIDTH * LENGTH) * tokens
    efficiency = report["efficiency"]
    assert efficiency["formula_flops"] == pytest.approx(needed)


def test_tokens_of_texts_of_changing_length_are_not_guessed(tmp_path):
    report = report_of(tmp_path, "--shorter-every 5")
    assert report["steps"]["tokens_per_s"] is None and report["steps"]["tokens_from"] is None
    assert report["efficiency"]["formula_flops"] is None
