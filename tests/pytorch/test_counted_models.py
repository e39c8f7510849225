"""The operations that the report counts are those of PyTorch's own counter, with and without recomputation."""

import json

import pytest

from recorded_run import Recorder, tauprof
from scenario_runs import ScenarioRuns, python_with_torch
from scenario_table import Scenario
from tiers import two_tiers

CHECKPOINTS = ("none", "reentrant", "rerun")
TRACED = [("gpt", "rerun"), ("gpt --attention cudnn", "reentrant"), ("gpt --attention flash", "rerun"),
          ("gpt --attention efficient", "none"), ("lora", "reentrant"), ("convolutions", "rerun")]


def each_checkpoint(in_every_run):
    return pytest.mark.parametrize("checkpoint", two_tiers(CHECKPOINTS, lambda one: one == in_every_run))
WITHIN = 0.01


def scenario(arguments):
    return Scenario("counted", "counted_models.py", arguments, steps=6)


def counted_by_pytorch(recorder, folder, arguments):
    folder.mkdir()
    command = [python_with_torch(), str(scenario("").path()), *arguments.split(), "--count"]
    run = recorder.finish(recorder.start(command, preload=False, cwd=folder), 300)
    return float(run.output.split("flops ")[1].split()[0])


class Counted:
    """The operations of a step by a report and by PyTorch: `model` without recomputation, `executed` with it."""

    def __init__(self, folder, arguments, checkpoint="none"):
        runs = ScenarioRuns(scenario(f"{arguments} --checkpoint {checkpoint}"), folder)
        self.of = runs["recorded"].report()["efficiency"]
        self.model = counted_by_pytorch(runs.recorder, folder / "model", arguments)
        self.executed = self.model
        if checkpoint != "none":
            self.executed = counted_by_pytorch(runs.recorder, folder / "executed",
                                               f"{arguments} --checkpoint {checkpoint}")

    def equal(self):
        assert not self.of["is_lower_bound"], self.of["uncounted"]
        assert self.of["executed_flops"] == pytest.approx(self.executed, rel=WITHIN)
        assert self.of["model_flops"] == pytest.approx(self.model, rel=WITHIN)
        assert self.of["model_flops_from"] == "counted"
        assert self.of["hfu"] / self.of["mfu"] == pytest.approx(self.executed / self.model, rel=WITHIN)
        shares = {row["name"]: row["share"] for row in self.of["waterfall"]}
        assert sum(shares.values()) == pytest.approx(1, abs=1e-9)
        assert shares["model"] == pytest.approx(self.of["mfu"])
        assert shares["recomputation"] == pytest.approx(self.of["hfu"] - self.of["mfu"], abs=1e-12)


@each_checkpoint("none")
def test_a_decoder_by_hand_counts_as_in_pytorch(tmp_path, checkpoint):
    Counted(tmp_path, "gpt", checkpoint).equal()


@each_checkpoint("reentrant")
def test_attention_of_cudnn_counts_as_in_pytorch(tmp_path, checkpoint):
    Counted(tmp_path, "gpt --attention cudnn", checkpoint).equal()


@each_checkpoint(None)  # products, like those of the decoder by hand
def test_attention_of_several_products_counts_as_in_pytorch(tmp_path, checkpoint):
    Counted(tmp_path, "gpt --attention math --precision fp32", checkpoint).equal()


@each_checkpoint("rerun")
def test_flash_attention_counts_as_in_pytorch(tmp_path, checkpoint):
    """By the names and grids of its kernels."""
    Counted(tmp_path, "gpt --attention flash", checkpoint).equal()


@pytest.mark.full
@pytest.mark.parametrize("variant", ["--attention efficient", "--attention flash --length 200",
                                     "--attention flash --deterministic"])
def test_attention_of_unknown_size_is_said_to_be_uncounted(tmp_path, variant):
    """It calls no library, and the grids of its kernels leave its lengths open."""
    counted = Counted(tmp_path, f"gpt {variant}", "rerun")
    assert counted.of["is_lower_bound"] and counted.of["uncounted_share"] > 0
    assert {kernel["kind"] for kernel in counted.of["uncounted"]} == {"attention"}
    assert 0.8 * counted.model < counted.of["model_flops"] < counted.model
    assert counted.of["hfu"] > counted.of["mfu"] > 0


def test_what_gradients_of_gradients_repeat_is_not_known(tmp_path):
    """Some of them are like products of the forward pass."""
    counted = Counted(tmp_path, "gpt --penalty")
    assert counted.of["executed_flops"] == pytest.approx(counted.executed, rel=WITHIN)
    assert counted.of["mfu"] is None and counted.of["hfu"] > 0
    assert counted.of["recomputed_flops"] is None


@pytest.mark.parametrize("precision", two_tiers(["bf16", "fp32"], "bf16".__eq__))
@each_checkpoint("rerun")
def test_convolutions_count_as_in_pytorch(tmp_path, checkpoint, precision):
    Counted(tmp_path, f"convolutions --precision {precision}", checkpoint).equal()


def test_plans_that_were_made_before_the_window_count(tmp_path):
    runs = ScenarioRuns(scenario("convolutions"), tmp_path, [(3, 2)])
    executed = [run.report()["efficiency"]["executed_flops"] for run in (runs["recorded"], runs.of_a_window(3, 2))]
    assert executed[0] == executed[1] > 0


@each_checkpoint("reentrant")
def test_adapters_of_a_frozen_decoder_count_as_in_pytorch(tmp_path, checkpoint):
    Counted(tmp_path, "lora", checkpoint).equal()


@pytest.mark.parametrize("arguments, checkpoint", two_tiers(TRACED, TRACED[2].__eq__))
def test_a_trace_of_pytorchs_profiler_counts_as_in_pytorch(tmp_path, arguments, checkpoint):
    """By the shapes of its operators, so also what PyTorch's own kernels compute."""
    recorder = Recorder(tmp_path)
    trace = tmp_path / "trace.json"
    command = scenario(f"{arguments} --checkpoint {checkpoint} --trace {trace}").command(python_with_torch())
    run = recorder.finish(recorder.start(command, preload=False, cwd=tmp_path), 300)
    assert run.status == 0, run.errors
    done = tauprof("import", "kineto", str(trace), "-o", str(tmp_path / "logs"))
    assert done.returncode == 0, done.stderr
    of = json.loads(tauprof("analyze", str(tmp_path / "logs"), "--json", "-").stdout)["efficiency"]
    model = counted_by_pytorch(recorder, tmp_path / "model", arguments)
    executed = counted_by_pytorch(recorder, tmp_path / "executed", f"{arguments} --checkpoint {checkpoint}")
    assert not of["is_lower_bound"], of["uncounted"]
    assert of["executed_flops"] == pytest.approx(executed, rel=WITHIN)
    assert of["model_flops"] == pytest.approx(model, rel=WITHIN)
