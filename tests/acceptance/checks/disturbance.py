"""The cost of taking device times for the host: measured by switching them on and off in one process.

A check prints what it has as it goes, so that it costs little to stop it."""

import bisect
import dataclasses
import math
import statistics

from check import Check, Lacked
from turns import Way, in_turns

MILLISECOND = 1e6
LEAST_STEPS = 8  # of a block that says anything
SETTLED = 0.25  # of the way from one speed to the other, within which a step has the new speed
TOGGLED = 12  # times --seconds, for which device times are switched on and off
WAYS_OF_CUPTI = ([], ["clock=1"], ["flush_ms=50"], ["buffer_kb=64"], ["buffer_kb=8192"])


def say(*words):
    print(*words, flush=True)


def mean_with_interval(values):
    """(mean, half of its 95 % interval; None: too few values)"""
    if len(values) < 3:
        return (statistics.mean(values) if values else None), None
    return statistics.mean(values), 1.96 * statistics.stdev(values) / math.sqrt(len(values))


@dataclasses.dataclass
class Block:
    """Steps that lie in one stretch of device times taken, off or being switched."""
    state: str
    start: int
    starts: list  # of the steps
    lengths: list  # ns
    cpu: list  # ns of the thread's CPU time

    @property
    def mean(self):
        return statistics.mean(self.lengths)


def blocks_of(rows, steps):
    """The stretches of the log's rows `device_times`, with the steps that lie in them whole. `steps`: when each
    started, on both clocks."""
    rows = sorted(rows, key=lambda row: row["time"])
    starts = [start for start, _ in steps]
    blocks = []
    for row, after in zip(rows, [*rows[1:], {"time": starts[-1]}]):
        first, last = bisect.bisect_left(starts, row["time"]), bisect.bisect_right(starts, after["time"]) - 1
        inside = steps[first:last + 1]
        lengths = [[b - a for a, b in zip(clock, clock[1:])] for clock in list(zip(*inside)) or [(), ()]]
        blocks.append(Block(row["state"], row["time"], [start for start, _ in inside[:-1]], *lengths))
    return blocks


def settled(blocks):
    """The length of a step late in a block."""
    return statistics.median(length for block in blocks for length in block.lengths[len(block.lengths) // 2:])


def settling_ns(block, old, new):
    """From the start of the block until five steps in a row have, in the median, the new speed; None: never."""
    if abs(old - new) < 0.05 * new:
        return None
    for i in range(len(block.lengths) - 4):
        if abs(statistics.median(block.lengths[i:i + 5]) - new) < SETTLED * abs(old - new):
            return block.starts[i] - block.start
    return None


def judge_blocks(trial, name, blocks):
    full = [block for block in blocks if block.state == "taken" and len(block.lengths) >= LEAST_STEPS][1:]
    light = [block for block in blocks if block.state == "off" and len(block.lengths) >= LEAST_STEPS]
    if not trial.expect(f"{name}: there are full and light blocks ({len(full)}, {len(light)})", full and light):
        return
    full_ms, full_half = mean_with_interval([block.mean / MILLISECOND for block in full])
    light_ms, light_half = mean_with_interval([block.mean / MILLISECOND for block in light])
    settles = {"light": [settling_ns(block, settled(full), settled(light)) for block in light],
               "full": [settling_ns(block, settled(light), settled(full)) for block in full]}
    cpu = [statistics.mean(length for block in of_way for length in block.cpu) for of_way in (full, light)]
    switching = [length / MILLISECOND for block in blocks if block.state == "switching" for length in block.lengths]
    known = {way: [ns / MILLISECOND for ns in of_way if ns is not None] for way, of_way in settles.items()}
    medians = [statistics.median(known[way] or [math.nan]) for way in ("light", "full")]
    summary = [f"{name}: {full_ms:.3f} ms a step with device times (± {full_half or math.nan:.3f}), {light_ms:.3f} "
               f"without (± {light_half or math.nan:.3f}): {full_ms / light_ms - 1:+.1%}; "
               f"CPU time {cpu[0] / cpu[1] - 1:+.1%}",
               f"{name}: the new speed is there after {medians[0]:.0f} ms off, {medians[1]:.0f} ms on; "
               f"longest step while switching {max(switching or [math.nan]):.1f} ms"]
    for line in summary:
        say(line)
    trial.note(summary=trial.evidence.get("summary", []) + summary, **{name: {
        "blocks": [(block.state, len(block.lengths), block.mean / MILLISECOND if block.lengths else None)
                   for block in blocks],
        "full_ms": full_ms, "full_half_interval": full_half, "light_ms": light_ms, "light_half_interval": light_half,
        "slowdown": full_ms / light_ms - 1, "slowdown_of_cpu_time": cpu[0] / cpu[1] - 1, "settles_ms": known,
        "steps_while_switching_ms": switching}})


def steps_in(run):
    return [tuple(map(int, line.split())) for line in run.output.splitlines()]


def say_and_note(trial, text):
    say(text)
    trial.note(summary=trial.evidence.get("summary", []) + [text])


def toggle_in_c(trial):
    """In turns: bare, hooks alone, and device times switched on and off by TAUPROF_EVERY."""
    command = [trial.native("host_steps"), trial.runtimes()[0]["library"]]
    seconds = TOGGLED * trial.settings["seconds"]
    variables = {"TAUPROF_STEP_MARKER": "call:cudaDeviceSynchronize"}
    ways = {"bare": {"recorded": False}, "hooks": {"variables": {**variables, "TAUPROF_DEVICE_TIMING": "off"}},
            "toggled": {"variables": {**variables, "TAUPROF_EVERY": "1/2"}}, "bare again": {"recorded": False}}
    for way, how in ways.items():
        run = trial.runs.run([*command, seconds if way == "toggled" else seconds / 8], timeout=seconds * 3 + 60, **how)
        if not trial.expect(f"the program ends well ({way}: {run.status})", run.status == 0):
            return
        steps = steps_in(run)
        lengths = [b - a for (a, _), (b, _) in zip(steps, steps[1:])][LEAST_STEPS:]
        if not trial.expect(f"there are steps ({way}: {len(steps)})", bool(lengths)):
            return
        if way == "toggled":
            judge_log(trial, "a loop in C", run, steps)
        else:
            say_and_note(trial, f"a loop in C: {statistics.mean(lengths) / MILLISECOND:.3f} ms a step, {way}")


def judge_log(trial, name, run, steps):
    log = trial.only_log(run)
    if log:
        judge_blocks(trial, name, blocks_of(log.rows["device_times"], steps))


HOOKS, FULL, TOGGLE = {"TAUPROF_DEVICE_TIMING": "off"}, {}, {"TAUPROF_EVERY": "1/2"}


def ways_of_torch(seconds):
    def short(name, variables=None):
        return Way(name, f"small --seconds {seconds / 8}", variables)
    once = [short("bare"), short("hooks", HOOKS), short("full", FULL)]
    return [*once, short("bare"), Way("toggled", f"small --seconds {seconds}", TOGGLE), *once, short("bare")]


def toggle_in_torch(trial):
    """In turns: bare, by hooks alone, with device times, and with these switched on and off by TAUPROF_EVERY. The step
    and the slowdown that the report of the last says must be those of the others."""
    trial.need_torch()
    lengths, toggled = {}, None
    for turn in in_turns(trial, ways_of_torch(TOGGLED * trial.settings["seconds"])):
        if turn is None:
            return
        say(f"PyTorch: {turn.step_ns / MILLISECOND:.3f} ms a step, {turn.way.name}")
        lengths.setdefault(turn.way.name, []).append(turn.step_ns / MILLISECOND)
        trial.note(turns=trial.evidence.get("turns", []) + [turn.in_json()])
        toggled = turn if turn.way.name == "toggled" else toggled
    bare, full = statistics.mean(lengths["bare"]), statistics.mean(lengths["full"])
    say_and_note(trial, "PyTorch, ms a step: " + "; ".join(
        f"{name} {', '.join(f'{ms:.2f}' for ms in of_way)}" for name, of_way in lengths.items()))
    judge_log(trial, "PyTorch", toggled.run, toggled.steps)
    report = trial.logs(toggled.run).report()
    trial.note(disturbance=report.get("disturbance"), step_ns=report.get("steps", {}).get("duration_ns"))
    said = report.get("disturbance", {}).get("slowdown")
    say_and_note(trial, f"PyTorch: whole processes are slowed down by {full / bare - 1:.1%}; the report says "
                        f"{'nothing' if said is None else format(said, '.1%')} ({report.get('disturbance')})")


def look_at_cost(trial):
    runtime = next((one for one in trial.runtimes() if one["cupti_library"]), None)
    if runtime is None:
        raise Lacked("a CUPTI beside a CUDA runtime")
    for options in WAYS_OF_CUPTI:
        command = [trial.native("cupti_cost"), runtime["library"], 4 * trial.settings["seconds"], *options,
                   runtime["cupti_library"]]
        run = trial.runs.run(command, recorded=False)
        way = " ".join(options) or "as it comes"
        if trial.expect(f"the program ends well ({way}: {run.status})", run.status == 0):
            judge_cost(trial, way, run.output)


COUNTED = ("switches", "preemptions", "faults", "function_interrupts", "tlb_interrupts")


def pairs_by_kinds(output):
    """{kinds: [(block without, block with)]}; a block is its line's numbers."""
    lines = [line.split() for line in output.splitlines()]
    blocks = [(name, [float(word) for word in words]) for name, *words in lines if name != "warm-up"]
    pairs = {}
    for (before, without), (name, with_records) in zip(blocks[::2], blocks[1::2]):
        if before == "none":
            pairs.setdefault(name, []).append((without, with_records))
    return pairs


def judge_cost(trial, way, output):
    summary, facts = [], {}
    for kinds, pairs in pairs_by_kinds(output).items():
        launch, launch_half = mean_with_interval([on[1] - off[1] for off, on in pairs])
        factor, factor_half = mean_with_interval([on[2] / off[2] for off, on in pairs])
        means = {"ns_a_launch": statistics.mean(on[3] - off[3] for off, on in pairs),
                 "host_factor": statistics.mean(on[4] / off[4] for off, on in pairs)}
        counted = {name: statistics.mean((on[5 + i] - off[5 + i]) / on[0] * 1000 for off, on in pairs)
                   for i, name in enumerate(COUNTED)}
        facts[kinds] = {"pairs": len(pairs), "ns_a_launch": launch, "ns_half_interval": launch_half,
                        "host_factor": factor, "factor_half_interval": factor_half, "of_means": means,
                        "more_in_1000_launches": counted}
        summary.append(f"{way}, {kinds}: {launch:+.0f} ns a launch (± {launch_half or math.nan:.0f}), "
                       f"host code × {factor:.3f} (± {factor_half or math.nan:.3f})")
        say(summary[-1])
    trial.expect(f"there are blocks ({way})", bool(facts))
    trial.note(summary=trial.evidence.get("summary", []) + summary, **{way: facts})


CHECKS = (
    Check("toggle", "What device times cost a host-bound loop, by switching them in one process.", toggle_in_c, 600,
          measures=True),
    Check("toggle-torch", "The same of a small training in PyTorch, beside whole processes of each way.", toggle_in_torch, 900, measures=True),
    Check("cupti-cost", "What each kind of CUPTI's records costs a launch and all other code of the host.",
          look_at_cost, 600, measures=True),
)
