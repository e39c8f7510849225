"""How well the replay predicts a run without its defect, and what it costs."""

import json
import pathlib
import subprocess
import sys

from measuring import BenchError, measure

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from replay_pairs import PAIRS, SCATTER, Simulated, run_pair  # noqa: E402: the path comes first

AVERAGE = 3.0            # per cent of the step
ROUNDING = 0.001         # of the step, as in tests/accuracy
BEST_BUCKET = 2.0        # per cent by which the size named best may be slower than the best
SIZES = (256, 512, 1024)  # of buckets, in MB
SLOW_LINKS = "beta_gb_per_s=40"
MOST_SECONDS, MOST_MB = 30, 8_000  # of 64 ranks with a million operations each


def pair_lines(simulated, rounds):
    """A line for each kind of pair, the outcomes of all, and what was wrong with any."""
    lines, known, faults = [], [], []
    for pair in PAIRS:
        outcomes = [run_pair(simulated, pair, number) for number in range(1, rounds + 1)]
        equal = [100 * one.equal_off for one in outcomes]
        answered = [one for one in outcomes if one.off is not None]
        off = [100 * one.off for one in answered]
        if max(equal) > 100 * SCATTER:
            faults.append(f"{pair.name}: inconclusive, equal runs differ by up to {max(equal):.1f} %")
        if len(off) < rounds:
            faults.append(f"{pair.name}: not known: {next(one.reason for one in outcomes if one.off is None)}")
        gain = 100 * (1 - outcomes[0].cured_ns / outcomes[0].defect_ns)
        if off:
            lines.append(measure(f"{pair.name} ({gain:.0f} % of the step): off by", "% of the step", off))
        lines.append(measure(f"{pair.name}: equal runs", "% apart", equal, below=100 * SCATTER))
        known += answered
    return lines, known, faults


def bucket_line(simulated):
    """By how much the size named best is slower than the best of all that were run."""
    steps = {size: simulated.measured_ns(simulated.record(f"--bucket-mb {size}", SLOW_LINKS)) for size in SIZES}
    logs = simulated.record(f"--bucket-mb {SIZES[-1]}", SLOW_LINKS)
    named = simulated.ask(logs, f"--bucket-mb {SIZES[0]}..{SIZES[-1]}")
    if named["best_bucket_mb"] is None:
        return None, f"bucket sweep: not known: {named['scenarios'][0]['reason']}"
    slower = 100 * (steps[int(named["best_bucket_mb"])] / min(steps.values()) - 1)
    return measure(f"buckets of {named['best_bucket_mb']:g} MB, named best: slower than the best by", "%", [slower],
                   below=BEST_BUCKET), None


def growth_lines(bench):
    """Cost by operation from 1 to 1,024 ranks, and of 64 ranks with a million operations each."""
    program = bench.programs["replay_growth"]
    lines = []
    for ranks in (1, 4, 16, 64, 256, 1024):
        each = max(2_000, (200_000 if bench.quick else 2_000_000) // ranks)
        said = grow(program, ranks, each)
        lines.append(measure(f"{ranks} ranks × {each:,} operations: replaying one", "ns",
                             [1e9 * said["replay_s"] / said["operations"]]))
    ranks, each = (64, 100_000 if bench.quick else 1_000_000)
    said = grow(program, ranks, each)
    seconds = said["join_s"] + said["replay_error_s"] + said["replay_s"]
    whole = dict(below=MOST_SECONDS), dict(below=MOST_MB)
    lines.append(measure(f"{ranks} ranks × {each:,} operations: joined, its error known, replayed", "s", [seconds],
                         **({} if bench.quick else whole[0])))
    lines.append(measure(f"{ranks} ranks × {each:,} operations: peak memory", "MB", [said["peak_mb"]],
                         **({} if bench.quick else whole[1])))
    return lines


def grow(program, ranks, each):
    done = subprocess.run([str(program), str(ranks), str(each)], capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError(f"{program}: exit status {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def replay_section(bench):
    folder = bench.folder / "replay"
    folder.mkdir(exist_ok=True)
    build = bench.root / "build" / "release"
    simulated = Simulated(bench.programs["tauprof"], build / "tests" / "workloads" / "training", build / "lib" / "simgpu",
                          folder)
    rounds = 1 if bench.quick else bench.rounds
    lines, known, faults = pair_lines(simulated, rounds)
    if known:
        off = [100 * one.off for one in known]
        lines.append(measure(f"all {len(off)} pairs: off by, on average", "% of the step", [sum(off) / len(off)],
                             below=AVERAGE))
        lines.append(measure("the worst", "% of the step", [max(off)]))
        covered = 100 * sum(one.covers(ROUNDING) for one in known) / len(known)
        lines.append(measure("steps within the bounds, give or take 0.1 % and what equal runs differ by", "% of pairs", [covered]))
    bucket, fault = bucket_line(simulated)
    lines += [bucket] if bucket else []
    faults += [fault] if fault else []
    facts = ["Training on simulated GPUs, two ranks, steps of some 320 ms; rounds of defect, cure, defect, cure, each with "
             "random durations of its own. What cannot be concluded is a failure; no run is repeated. The last lines are "
             "of graphs made in memory, so that nothing is read.", *(f"FAILED: {fault}." for fault in faults)]
    return {"title": "Replay", "facts": facts, "measures": lines + growth_lines(bench)}
