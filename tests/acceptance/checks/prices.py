"""What a repair is worth: the step that the report predicts, beside the step of the same program without the defect."""

import sys

from check import Check
from pieces import REPAIRS, SCENARIOS

sys.path.insert(0, str(REPAIRS))

from pair_outcome import Outcome  # noqa: E402
from repair_pairs import PAIRS  # noqa: E402

SCRIPT = "mlp.py"  # its pairs depend on no compiler
STEPS = 30


def report_of(trial, options):
    command = [trial.python, SCENARIOS / "scenarios" / SCRIPT, "--steps", STEPS, *options.split()]
    run = trial.runs.run(command)
    trial.expect(f"the program ends well ({run.status})", run.status == 0)
    return trial.logs(run).report()


def look_at_price(trial, pair):
    trial.need_torch()
    outcome = Outcome(pair, report_of(trial, pair.defect), report_of(trial, pair.mended))
    steps = [report.get("steps", {}).get("count", 0) for report in (outcome.with_defect, outcome.without)]
    if not trial.expect(f"both reports have steps ({steps})", all(steps)):
        return
    finding, predicted = outcome.found_in(outcome.with_defect), outcome.predicted_step
    trial.note(steps=steps, step_ns=outcome.step, predicted_ns=predicted, without_defect_ns=outcome.mended_step,
               off_by=outcome.error, finding=finding,
               findings=[(one["id"], one["saves_ns_per_step"]) for one in outcome.with_defect["findings"]],
               without_defect=[(one["id"], one["saves_ns_per_step"]) for one in outcome.without["findings"]])
    said = "not found" if finding is None else f"no price: {finding['saves_reason']}" if predicted is None else (
        f"predicted {predicted / 1e6:.2f} ms, off by {outcome.error:.1%} of the step")
    trial.note(summary=[f"step {outcome.step / 1e6:.2f} ms, without the defect {outcome.mended_step / 1e6:.2f} ms; {said}"])


def price_check(pair):
    name = f"price-{pair.name.split(',')[0].replace(' ', '-')}"
    return Check(name, f"What the report says a repair is worth: {pair.what}.", lambda trial: look_at_price(trial, pair),
                 measures=True)


CHECKS = tuple(price_check(pair) for pair in PAIRS if pair.script == SCRIPT)
