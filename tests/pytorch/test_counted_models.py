"""The operations that the report counts are those of PyTorch's own counter, with and without recomputation."""

import pytest

from scenario_runs import ScenarioRuns, python_with_torch
from scenario_table import Scenario

CHECKPOINTS = ("none", "reentrant", "rerun")
WITHIN = 0.01


def scenario(arguments):
    return Scenario("counted", "counted_models.py", arguments, steps=6)


def counted_by_pytorch(recorder, folder, arguments):
    folder.mkdir()
    command = [python_with_torch(), str(scenario("").path()), *arguments.split(), "--count"]
    run = recorder.finish(recorder.start(command, preload=False, cwd=folder), 300)
    return float(run.output.split("flops ")[1].split()[0])


class Counted:
    """What a report and PyTorch make of a step: `model` without recomputation, `executed` with it."""

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


@pytest.mark.parametrize("checkpoint", CHECKPOINTS)
def test_a_decoder_by_hand_counts_as_in_pytorch(tmp_path, checkpoint):
    Counted(tmp_path, "gpt", checkpoint).equal()


@pytest.mark.parametrize("checkpoint", CHECKPOINTS)
def test_adapters_of_a_frozen_decoder_count_as_in_pytorch(tmp_path, checkpoint):
    Counted(tmp_path, "lora", checkpoint).equal()
