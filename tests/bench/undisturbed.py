"""How near the report of a recorded job is to the job without the recorder."""

import pathlib
import sys

from measuring import measure

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from results import table  # noqa: E402: the path comes first
from undisturbed_pairs import (DEVICE_BOUND, HOST_BOUND, PAIRS, PRICE, SLOWDOWN, TABLE_HEADS, Simulated,  # noqa: E402
                               run_pair, table_row)


def lines_of(outcomes):
    """The errors on all pairs, in absolute values."""
    bound_by = {True: [], False: []}
    for outcome in outcomes:
        bound_by[outcome.pair.is_device_bound].append(100 * abs(outcome.step_off))
    lines = [measure(f"the report's step, {name}", "% off", bound_by[is_device], below=100 * aim)
             for is_device, name, aim in ((False, "bound by hosts", HOST_BOUND), (True, "bound by devices", DEVICE_BOUND))
             if bound_by[is_device]]
    prices = [100 * abs(one.price_off) for one in outcomes if one.price_off is not None]
    slowdowns = [100 * abs(one.slowdown_off) for one in outcomes if one.slowdown_off is not None]
    lines += [measure("what the step becomes with the repair", "% of the bare step off", prices, below=100 * PRICE)] if prices else []
    lines += [measure("the slowdown", "points off", slowdowns, below=100 * SLOWDOWN)] if slowdowns else []
    lines.append(measure("equal bare runs", "% apart", [100 * one.noise for one in outcomes]))
    return lines


def undisturbed_section(bench):
    folder = bench.folder / "undisturbed"
    folder.mkdir(exist_ok=True)
    build = bench.root / "build" / "release"
    simulated = Simulated(bench.programs["tauprof"], build / "tests" / "workloads" / "training", build / "lib" / "simgpu",
                          folder)
    outcomes, faults = [], []
    for pair in PAIRS:
        try:
            outcomes.append(run_pair(simulated, pair, 1 if bench.quick else bench.rounds))
            print(" | ".join(table_row(outcomes[-1])), file=sys.stderr, flush=True)  # a quarter of an hour in all
        except RuntimeError as error:
            faults.append(f"FAILED: {pair.name}: {error}.")
    faults += [f"FAILED: {outcome.pair.name}: {fault}." for outcome in outcomes for fault in outcome.faults()]
    facts = ["Training on simulated GPUs whose CUPTI slows the host 1.05 to 2.5 times. Each turn runs a job bare, recorded, "
             "with hooks alone, and bare without its defect; the report is that of `--host-times`. Medians of the turns.",
             table(TABLE_HEADS, [table_row(outcome) for outcome in outcomes]), *faults]
    return {"title": "The undisturbed run", "facts": facts, "measures": lines_of(outcomes)}
