"""docs/findings.md, from the outcomes of the pairs."""

from __future__ import annotations

from repair_pairs import REPAIRS

HEAD = """# What each repair is worth

`scripts/findings` writes this page. For each repair that the report proposes, there is a pair of jobs ([tests/repairs/repair_pairs.py](../tests/repairs/repair_pairs.py)), with the defect and without. Only the first job's report may have the finding, and *predicted*, its step [replayed](replay.md) without the defect, must equal the second job's step to within 3 % of the step with the defect, 5 % for PyTorch. *Off by* is the difference.

All jobs ran on simulated devices. Nothing here was tried on a GPU.

| repair | defect | finding | step | predicted | without the defect | off by | |
| --- | --- | --- | ---: | ---: | ---: | ---: | --- |
"""


def milliseconds(ns):
    return f"{ns / 1e6:.1f} ms"


def row(outcome):
    pair = outcome.pair
    predicted = outcome.predicted_step
    remarks = [pair.note] if pair.note else []
    if predicted is None:
        finding = outcome.found_in(outcome.with_defect)
        remarks.append(f"no price: {finding['saves_reason']}" if finding else "not found")
    elif fault := outcome.fault():
        remarks.append("**too far off**" if outcome.error > pair.tolerance else f"**{fault.split(':')[0]}**")
    kind = f"`{pair.finding}`" + (f", {pair.cause}" if pair.cause else "")
    program = f"{pair.script}: " if pair.script else ""
    return (f"| {pair.repair} | {program}{pair.what} | {kind} | {milliseconds(outcome.step)} | "
            f"{'–' if predicted is None else milliseconds(predicted)} | {milliseconds(outcome.mended_step)} | "
            f"{'–' if predicted is None else f'{outcome.error:.1%}'} | {'; '.join(remarks)} |")


def document_of(outcomes):
    """Of all pairs, in the order of the repairs."""
    ordered = sorted(outcomes, key=lambda outcome: REPAIRS.index(outcome.pair.repair))
    return HEAD + "\n".join(row(outcome) for outcome in ordered) + "\n"
