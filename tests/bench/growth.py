"""Import and analysis from 1 to 64 ranks with the same data per rank: time per rank must not grow."""

import json
import shutil

from data_sets import size_of
from importing import import_into
from measuring import alternating, measure, run

RANKS = (1, 2, 4, 8, 16, 32, 64)


def growth_table(runs, amount_of, unit):
    """A row for each number of ranks; `amount_of`: the work of each, in `unit`."""
    rows = []
    for ranks in RANKS:
        mine, single = runs[ranks], runs[RANKS[0]]
        rows.append({
            "ranks": ranks,
            "time": measure("time", "s", [r.seconds for r in mine], mine),
            "rate": measure("rate", f"{unit}/s", [amount_of[ranks] / r.seconds for r in mine]),
            "per_rank": measure("time per rank ÷ that of one rank", "×",
                                [r.seconds / ranks / one.seconds for r, one in zip(mine, single)]),
        })
    return rows


def growth_of_import(bench):
    megabytes = 0.5 if bench.quick else 5
    sets = {ranks: bench.data.traces(ranks, megabytes) for ranks in RANKS}
    logs = bench.folder / "imported"
    runs = alternating(bench.rounds, {
        ranks: lambda folder=folder: import_into(bench.programs["tauprof"], folder, logs)
        for ranks, folder in sets.items()})
    shutil.rmtree(logs)
    return growth_table(runs, {ranks: size_of(folder) / 1e6 for ranks, folder in sets.items()}, "MB")


def growth_of_analyze(bench):
    sets = {ranks: bench.data.logs(ranks, 20_000 if bench.quick else 200_000) for ranks in RANKS}
    reports = {ranks: bench.folder / f"report-{ranks}.json" for ranks in RANKS}
    runs = alternating(bench.rounds, {
        ranks: lambda ranks=ranks: run([bench.programs["tauprof"], "analyze", sets[ranks], "--json", reports[ranks]])
        for ranks in RANKS})
    events = {ranks: json.loads(reports[ranks].read_text())["quality"]["events"] / 1e6 for ranks in RANKS}
    return growth_table(runs, events, "M events")


def growth_section(bench):
    size = "a Kineto file of 0.5 MB or 20,000" if bench.quick else "a Kineto file of 5 MB or 200,000"
    return {
        "title": "Growth from 1 to 64 ranks",
        "facts": [f"Each rank adds {size} events of our own log. Per rank: 1 means that a rank costs what a lone rank "
                  "costs; one divided by the cores is perfect sharing."],
        "measures": [],
        "growth": {"`tauprof import kineto`": growth_of_import(bench), "`tauprof analyze`": growth_of_analyze(bench)},
    }
