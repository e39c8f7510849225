"""PyTorch's account of itself is in the log, and the program does not notice that PyTorch was asked."""

import pytest

from recorded_marks import counts, marks_of
from recorded_marks import run_both as run_script_both
from scenario_runs import python_with_torch, version_of
from tiers import two_tiers

pytestmark = pytest.mark.every_python

STEPS = 6


def run_both(folder, *arguments, **how):
    return run_script_both(folder, "--steps", str(STEPS), *arguments, **how)


# One pass forward and one backward fail, after the training. So does a call of a clipping function without arguments,
# which is a call where calls are seen before the function's frame is there (Python 3.10 and older).
EAGER = {"forward": 2 * STEPS + 1,  # the model and the loss
         "backward": STEPS + 1, "clip": STEPS, "update": STEPS, "zero_grad": STEPS,
         "schedule": STEPS + 1,  # a scheduler makes its first step itself
         "optimizer": 2}


def expected():
    is_seen_without_frame = version_of(python_with_torch()) < (3, 11)
    return {**EAGER, "clip": STEPS + is_seen_without_frame}


@pytest.mark.parametrize("python_options", [(), ("-I",), pytest.param(("-E",), marks=pytest.mark.full)], ids=" ".join)
def test_each_call_is_a_mark(tmp_path, python_options):
    bare, recorded, run = run_both(tmp_path, python_options=python_options)
    assert recorded == bare
    marks = marks_of(run)
    assert counts(marks, *EAGER) == expected()
    assert len(marks["fetch"]) == STEPS + 2  # the loader's start and its end
    assert {row["payload"] for row in marks["forward"]} == {1}
    [made, *_] = marks["optimizer"]
    assert {row["payload"] for row in marks["update"]} == {made["payload"]}


def test_ranges_of_the_program_are_annotations(tmp_path):
    _, _, run = run_both(tmp_path)
    names = [row["name"] for row in run.only_log().rows["range"] if row["source"] == "annotation"]
    assert names.count("the user's own") == 1
    assert names.count("Optimizer.step#AdamW.step") == STEPS


def test_training_in_a_thread_is_marked_too(tmp_path):
    bare, recorded, run = run_both(tmp_path, "--in-thread")
    assert recorded == bare
    marks = marks_of(run)
    assert counts(marks, *EAGER) == expected()
    assert len({row["thread"] for row in marks["update"]}) == 1


@pytest.mark.parametrize("what", two_tiers(["model", "step", "update"], "step".__eq__))
def test_the_compiler_does_not_notice(tmp_path, what):
    bare, recorded, run = run_both(tmp_path, "--compile", what)
    assert recorded == bare
    assert bare["frames"]["ok"] > 0
    assert len(marks_of(run)["backward"]) == STEPS + 1


def test_python_is_left_alone_on_request(tmp_path):
    bare, recorded, run = run_both(tmp_path, variables={"TAUPROF_PYTHON": "off"})
    assert recorded == bare
    assert marks_of(run) == {}
    assert all(row["source"] != "annotation" for row in run.only_log().rows["range"])


def test_settings_are_asked(tmp_path):
    _, _, run = run_both(tmp_path)
    report = run.report()
    settings, steps = report["settings"], report["steps"]
    assert steps["samples_from"] == "pytorch"
    assert steps["samples_per_s"] == pytest.approx(4e9 / steps["duration_ns"]["mean"])
    assert settings["loader"] == {"workers": 0, "batch_size": 4, "pin_memory": False, "persistent_workers": False,
                                  "drop_last": False}
    assert settings["optimizer"]["class"] == "AdamW"
    assert settings["optimizer"]["parameters"] == 4 * (16 * 16 + 16)
    assert settings["optimizer"]["dtypes"] == "float32"
    assert settings["module"] == {"class": "Sequential"}
    assert settings["precision"]["autocast"] == "off"
    assert settings["versions"]["pytorch"].startswith("2.")
    assert settings["allocator"]["peak_allocated_bytes"] > 0
