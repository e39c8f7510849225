"""Runs both jobs of a pair under the recorder, and compares what the report says of the defect with what is without it."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "capture"), str(HERE.parent / "pytorch")]

from recorded_run import Recorder, training  # noqa: E402

SCRIPTS = HERE.parent / "pytorch" / "scenarios"


@dataclasses.dataclass
class Outcome:
    """What the two reports say."""

    pair: object
    with_defect: dict  # reports
    without: dict

    def found_in(self, report):
        """The finding about the pair's defect; None: there is none."""
        for finding in report["findings"]:
            if finding["id"] != self.pair.finding:
                continue
            if self.pair.rank is not None and finding["ranks"] != [self.pair.rank]:
                continue
            if self.pair.cause and f"cause: {self.pair.cause}" not in finding["evidence"]:
                continue
            return finding
        return None

    @staticmethod
    def step_of(report):
        return report["steps"]["duration_ns"]["mean"]

    @property
    def step(self):
        return self.step_of(self.with_defect)

    @property
    def mended_step(self):
        return self.step_of(self.without)

    @property
    def predicted_step(self):
        """None: not known."""
        finding = self.found_in(self.with_defect)
        if finding is None or finding["saves_ns_per_step"] is None:
            return None
        return self.step - finding["saves_ns_per_step"]

    @property
    def error(self):
        """Of the prediction, as a share of the step with the defect."""
        return None if self.predicted_step is None else abs(self.predicted_step - self.mended_step) / self.step

    def misnamed(self):
        """What is wrong with the finding, whatever it saves; "" if nothing."""
        finding = self.found_in(self.with_defect)
        if finding is None:
            return f"not found: {[(one['id'], one['ranks'], one['evidence']) for one in self.with_defect['findings']]}"
        if other := self.found_in(self.without):
            return f"found without the defect: {other}"
        for words in self.pair.says:
            if words not in finding["evidence"] + finding["advice"]:
                return f"does not say {words!r}: {finding}"
        return ""

    def fault(self):
        """What is not as it has to be; "" if nothing."""
        finding = self.found_in(self.with_defect)
        if self.misnamed():
            return self.misnamed()
        if self.pair.unpriced:
            is_right = finding["saves_ns_per_step"] is None and self.pair.unpriced in finding["saves_reason"]
            return "" if is_right else f"has a price: {finding}"
        if self.error is None:
            return f"has no price: {finding['saves_reason']}"
        if self.error > self.pair.tolerance:
            return (f"step {self.step / 1e6:.2f} ms, predicted {self.predicted_step / 1e6:.2f}, without the defect "
                    f"{self.mended_step / 1e6:.2f}: off by {self.error:.1%}")
        return ""


def command_of(pair, options):
    if not pair.script:
        return training(f"--steps {pair.steps} {options}", pair.ranks)
    python = os.environ.get("TAUPROF_PYTORCH_PYTHON")
    if not python:
        pytest.skip("TAUPROF_PYTORCH_PYTHON names no Python that has PyTorch; scripts/test-pytorch sets it")
    return [python, str(SCRIPTS / pair.script), "--steps", str(pair.steps), *options.split()]


def report_of(pair, options, devices, folder):
    variables = {"OMP_NUM_THREADS": "1", "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")} if pair.script else {}
    folder.mkdir(exist_ok=True)
    run = Recorder(folder).run(command_of(pair, options), timeout=400, options=devices, variables=variables, cwd=folder)
    assert run.status == 0, run.errors
    if pair.only_log_of is not None:
        for path, log in zip(run.log_files(), run.read_logs()):
            if log.rows["process"][-1]["rank"] != pair.only_log_of:
                path.unlink()
    return run.report()


def run_pair(pair, folder):
    defective = ",".join(filter(None, [pair.devices, pair.defective_devices]))
    return Outcome(pair, report_of(pair, pair.defect, defective, folder / "defect"),
                   report_of(pair, pair.mended, pair.devices, folder / "mended"))
