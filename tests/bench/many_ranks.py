"""Matching, alignment and blame across up to 1,024 ranks with 1,000 collectives each: time and memory must grow no
faster than the number of ranks."""

import json

from measuring import alternating, measure, run

RANKS = (64, 256, 1024)
RANKS_A_HOST = 8
# Little work besides collectives, because the pass across ranks is measured.
JOB = ("--layers 1 --layers-per-bucket 1 --micro-batches 1 --tensor-parallel 8 --gemm 40us --elementwise 5us "
       "--optimizer 20us --layer-bytes 1048576 --no-autograd")


def clocks_of(ranks):
    """Options that give each host a clock that is off by seconds and drifts, and a wrong wall clock."""
    options = []
    for host in range(1, ranks // RANKS_A_HOST):
        first = host * RANKS_A_HOST
        for rank in range(first, first + RANKS_A_HOST):
            options += ["--clock-offset", f"{rank}={(host * 7919) % 20000 - 10000}ms",
                        "--clock-drift", f"{rank}={(host * 37) % 100 - 50}"]
        options += [option for rank in range(first, first + RANKS_A_HOST)
                    for option in ("--wall-clock-error", f"{rank}={(host * 101) % 4000 - 2000}ms")]
    return options


def logs(bench, ranks, collectives):
    steps = max(2, -(-collectives // 3))  # three per step
    return bench.data.job(f"many-{ranks}-{steps}", [
        "--ranks", str(ranks), "--hosts", str(ranks // RANKS_A_HOST), "--steps", str(steps), *JOB.split(),
        *clocks_of(ranks)])


def many_ranks_section(bench):
    collectives = 100 if bench.quick else 1000
    sets = {ranks: logs(bench, ranks, collectives) for ranks in RANKS}
    reports = {ranks: bench.folder / f"many-{ranks}.json" for ranks in RANKS}
    runs = alternating(bench.rounds, {
        ranks: lambda ranks=ranks: run([bench.programs["tauprof"], "analyze", sets[ranks], "--json", reports[ranks]])
        for ranks in RANKS})
    rows = []
    for ranks in RANKS:
        report = json.loads(reports[ranks].read_text())
        assert report["quality"]["collectives"]["incomplete"] == 0
        mine, least = runs[ranks], runs[RANKS[0]]
        rows.append({
            "ranks": ranks,
            "time": measure("time", "s", [r.seconds for r in mine], mine),
            "rate": measure("rate", "M events/s", [report["quality"]["events"] / 1e6 / r.seconds for r in mine]),
            "per_rank": measure(f"time per rank ÷ that of {RANKS[0]}", "×", [
                r.seconds / ranks / (one.seconds / RANKS[0]) for r, one in zip(mine, least)]),
        })
    return {
        "title": "Many ranks",
        "facts": [f"{collectives} collectives a rank, eight ranks a host, every host's clock off by seconds and "
                  "drifting: matching, alignment and blame."],
        "measures": [],
        "growth": {"`tauprof analyze`": rows},
    }
