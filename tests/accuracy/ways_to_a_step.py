#!/usr/bin/env python3
"""Which way finds the steps of recordings, and how many, with and without what marks them.

ways_to_a_step.py NAME=TAUPROF [NAME=TAUPROF ...] -- FOLDER...

Each FOLDER holds the Kineto traces of one job, or its logs. Traces are read as they are, then with their ProfilerStep
markers hidden, then with PyTorch's ranges of optimizers hidden, too. Prints a Markdown table with a column for each
analyzer: its way, the number of steps and their mean length.
"""

from __future__ import annotations

import gzip
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HIDDEN = {
    "as recorded": (),
    "markers hidden": ("ProfilerStep",),
    "markers and optimizers hidden": ("ProfilerStep", "Optimizer."),
}


def is_trace(path):
    return path.name.endswith((".json", ".json.gz"))


def read(path):
    opened = gzip.open(path) if path.suffix == ".gz" else path.open("rb")
    with opened as file:
        return json.load(file)


def hide(folder, prefixes, target):
    target.mkdir()
    for path in filter(is_trace, sorted(folder.iterdir())):
        trace = read(path)
        events = trace["traceEvents"] if isinstance(trace, dict) else trace
        events[:] = [event for event in events if not str(event.get("name", "")).startswith(prefixes)]
        (target / path.name.removesuffix(".gz")).write_text(json.dumps(trace), encoding="utf-8")
    return target


def said(tauprof, recording, scratch):
    """One cell: how the steps of this folder are found."""
    logs = recording
    if any(map(is_trace, recording.iterdir())):
        scratch.mkdir()
        logs = scratch / "logs"
        subprocess.run([tauprof, "import", "kineto", recording, "-o", logs], check=True, capture_output=True)
    done = subprocess.run([tauprof, "analyze", logs, "--json", "-"], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        return f"refused: {done.stderr.strip().splitlines()[-1]}"
    steps = json.loads(done.stdout)["steps"]
    lengths = [step["duration_ns"] or step["host_duration_ns"] for step in steps["list"]]
    number = steps["warmup"] + steps["count"]
    count = f"{number} {steps['unit']}{'' if number == 1 else 's'}" if lengths else "none"
    return f"{steps['detected_by']}: {count}" + (f" of {statistics.fmean(lengths) / 1e6:.2f} ms" if lengths else "")


def main():
    words = sys.argv[1:]
    at = words.index("--")
    analyzers = dict(word.split("=", 1) for word in words[:at])
    print(f"| recording | {' | '.join(analyzers)} |\n|{' --- |' * (1 + len(analyzers))}")
    for folder in map(pathlib.Path, words[at + 1:]):
        for variant, prefixes in HIDDEN.items():
            with tempfile.TemporaryDirectory() as place:
                scratch = pathlib.Path(place)
                has_traces = any(map(is_trace, folder.iterdir()))
                if prefixes and not has_traces:
                    break
                recording = hide(folder, prefixes, scratch / "hidden") if prefixes else folder
                cells = [said(tauprof, recording, scratch / name) for name, tauprof in analyzers.items()]
            name = folder.parent.name if folder.name.startswith("logs") else folder.name
            print(f"| {name}{', ' + variant if has_traces else ''} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
