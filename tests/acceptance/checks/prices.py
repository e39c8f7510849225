"""The worth of ten repairs by the report of the undisturbed run, beside the repaired program, bare to bare.

In turns: bare with the defect, recorded with device times, recorded by hooks alone, bare without the defect.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from check import Check
from turns import Way, in_turns

WITHIN = 0.03  # of the bare step
WELL_PRICED = 9
RUNS_OF_A_PAIR = 4


@dataclass(frozen=True)
class Pair:
    name: str
    finding: str  # its id in the report
    defect: str  # options of the training with the defect …
    mended: str  # … and of the one without


LARGE, SMALL = "large --steps 40", "small --steps 200"
READING = f"{LARGE} --host-ms 25"
INPUT = f"{LARGE} --input-mb 256"
PAIRS = (
    Pair("item", "host-sync", f"{READING} --read-loss", READING),
    Pair("reads", "host-sync", f"{SMALL} --read-layers", SMALL),
    Pair("pageable", "input-copies", f"{INPUT} --pageable", INPUT),
    Pair("fp32", "fp32-products", f"{LARGE} --batch 8 --precision fp32", f"{LARGE} --batch 8 --precision tf32"),
    Pair("unfused", "unfused-optimizer", "small --steps 100 --unfused", SMALL),
    Pair("vocab", "misaligned-products", f"{LARGE} --vocabulary 50257", LARGE),
    Pair("loader", "data-wait", f"{LARGE} --load-ms 100", f"{LARGE} --load-ms 100 --workers 6"),
    Pair("launch", "launch-bound", SMALL, f"{SMALL} --graph"),
    Pair("alloc", "allocation", f"{LARGE} --empty-cache", LARGE),
    Pair("sleep", "host-stall", f"{LARGE} --sleep-ms 60", LARGE),
)


def ways_of(pair):
    return (Way("bare", pair.defect), Way("full", pair.defect, {}),
            Way("light", pair.defect, {"TAUPROF_DEVICE_TIMING": "off"}), Way("repaired", pair.mended))


def what_is_said(trial, pair, turns):
    """Of the report of both recorded runs, and of the one with device times alone."""
    told = {}
    steps = ["--steps", f"{turns['full'].warm_up}:{len(turns['full'].steps) - 2}"]  # the last one has no end
    for name, more in (("undisturbed", ["--host-times", turns["light"].run.logs]), ("as recorded", [])):
        report = trial.logs(turns["full"].run).report(*steps, *more)
        finding = next((one for one in report.get("findings", []) if one["id"] == pair.finding), None)
        step = report.get("steps", {}).get("duration_ns", {}).get("mean")
        saves = finding["saves_ns_per_step"] if finding else None
        told[name] = {"step_ns": step, "becomes_ns": None if saves is None or step is None else step - saves,
                      "why": finding["saves_reason"] if finding else "not found",
                      "verdict": report.get("verdict", {}).get("text"), "disturbance": report.get("disturbance"),
                      "findings": [(one["id"], one["saves_ns_per_step"]) for one in report.get("findings", [])]}
    return told


def ms(ns):
    return "-" if ns is None else f"{ns / 1e6:.2f}"


def judge(trial, pair, turns):
    """Whether the price is near enough. Notes all of it."""
    told = what_is_said(trial, pair, turns)
    bare, repaired = turns["bare"].step_ns, turns["repaired"].step_ns
    off = {way: None if one["becomes_ns"] is None else (one["becomes_ns"] - repaired) / bare for way, one in told.items()}
    said, recorded = told["undisturbed"], off["as recorded"]
    text = (f"{pair.name}: bare {ms(bare)} ms, with device times {ms(turns['full'].step_ns)}, hooks alone "
            f"{ms(turns['light'].step_ns)}; said to be {ms(said['step_ns'])}, repaired {ms(said['becomes_ns'])} "
            f"({said['why'] or 'priced'}); it is {ms(repaired)}: off by "
            f"{'-' if off['undisturbed'] is None else format(off['undisturbed'], '+.1%')}, as recorded "
            f"{'-' if recorded is None else format(recorded, '+.1%')}")
    print(text, flush=True)
    trial.note(summary=trial.evidence.get("summary", []) + [text],
               **{pair.name: {"turns": [turn.in_json() for turn in turns.values()], "told": told, "off_by": off}})
    return off["undisturbed"] is not None and abs(off["undisturbed"]) <= WITHIN


def look_at_prices(trial):
    trial.need_torch()
    at_once = max(1, (os.cpu_count() or 1) // RUNS_OF_A_PAIR)
    good = []
    for first in range(0, len(PAIRS), at_once):
        pairs = PAIRS[first:first + at_once]
        turns = in_turns(trial, [way for pair in pairs for way in ways_of(pair)])
        for pair in pairs:
            of_pair = {way.name: next(turns) for way in ways_of(pair)}
            good += [pair.name] if None not in of_pair.values() and judge(trial, pair, of_pair) else []
    trial.expect(f"{WELL_PRICED} of {len(PAIRS)} prices are within {WITHIN:.0%} of the bare step ({len(good)} are)",
                 len(good) >= WELL_PRICED)


CHECKS = (Check("prices", "Nine of ten repairs are worth what the report of the undisturbed run says.", look_at_prices,
                1200, is_about_time=True),)
