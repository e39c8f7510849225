"""Runs every program bare, recorded and with two windows of steps, and writes the table of docs/pytorch.md.

    write_table.py [NAME...]      # some programs: prints their rows and leaves the document as it is
"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from counted_steps import CountedSteps, faults_of_window  # noqa: E402
from scenario_runs import ScenarioRuns, window_name, without_times  # noqa: E402
from scenario_table import GRAPHS, LOOPS, PROGRAMS, SCENARIOS, UPDATES  # noqa: E402
from test_phases import ranks_of  # noqa: E402

DOCUMENT = HERE.parent.parent / "docs" / "pytorch.md"
BEGIN, END = "<!-- steps: begin -->\n", "<!-- steps: end -->\n"
COUNT = 4
HEAD = ("| program | its steps | reported | by | same output | steps 3 to 6 | steps 0 to 3 | worst host phase |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n")


def range_of(numbers):
    numbers = sorted(set(numbers))
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


def window(runs, whole, first):
    if runs.of_a_window(first, COUNT).status != 0:
        return "failed"
    counted = CountedSteps(runs, window_name(first, COUNT))
    faults = [fault.partition(": ")[2] for fault in faults_of_window(counted, whole, first, COUNT)]
    return "; ".join(dict.fromkeys(faults)) or "exact"


def worst_phase(runs):
    """Of all ranks, in the median step. Where threads train side by side, the report's steps are no thread's."""
    counted = CountedSteps(runs, "recorded")
    if any(len(counted.threads(rank)) > 1 for rank in counted.stamps):
        return "steps overlap"
    worst = (0, 0, "-")
    for rank in ranks_of(runs):
        step = rank.usual_step()
        for phase, off in rank.differences().items():
            worst = max(worst, (abs(off), abs(off) / step, phase))
    return f"{worst[2]} {worst[0] / 1e6:.2f} ms, {worst[1]:.1%}"


def row(runs):
    runs.make("bare", (3, COUNT), (0, COUNT))
    recorded, bare = runs["recorded"], runs["bare"]
    if recorded.status != 0:
        return f"| {runs.scenario.name} | failed | | | | | | |\n"
    counted = CountedSteps(runs, "recorded")
    same = "yes" if without_times(recorded.output) == without_times(bare.output) else "no"
    cells = [f"`{runs.scenario.name}`", range_of(counted.by_program.values()), range_of(counted.in_report.values()),
             ", ".join(sorted(counted.origins)), same, window(runs, counted, 3), window(runs, counted, 0),
             worst_phase(runs)]
    return "| " + " | ".join(cells) + " |\n"


def main():
    names = sys.argv[1:]
    rows = []
    # One that profiles itself has a gap in its log; loaders are a matter of time.
    scenarios = [one for one in PROGRAMS + SCENARIOS + LOOPS + GRAPHS + UPDATES if not one.profiles_itself]
    for scenario in scenarios:
        if names and scenario.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows.append(row(ScenarioRuns(scenario, pathlib.Path(folder))))
        print(rows[-1], end="", flush=True)
    if not names:
        text = DOCUMENT.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        DOCUMENT.write_text(before + BEGIN + HEAD + "".join(rows) + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
