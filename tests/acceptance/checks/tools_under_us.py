"""NVIDIA's tools, started under the preload (`LD_PRELOAD=libtauprof.so ncu ./app`): tool and program do what they do
without it. checks/other_tools.py has the tools that start a recorded program."""

import collections
import csv
import re

from check import Check, Lacked
from checks.other_tools import sets_seen_by
from runs import OURS

LAUNCHES = 5
METRIC = "gpu__time_duration.sum"

# ---- What tool and program print ----

# Addresses, names of temporary files, numbers of processes, times.
VARYING = re.compile(r"0x[0-9a-fA-F]+|/tmp/\S+|\d+(?:[.,]\d+)*")
# gdb's lines about each thread, and bars that grow.
TRANSIENT = re.compile(r"\[(?:New Thread|Thread|New LWP|LWP|Switching to|Detaching after|\d+/\d+\]) ")


def steady_lines(text):
    """How often each line comes, without what differs in every run and what the recorder says."""
    lines = (line.strip() for line in text.replace("\r", "\n").splitlines() if not line.startswith(OURS))
    return collections.Counter(VARYING.sub("#", line) for line in lines if line and not TRANSIENT.match(line))


def compare_prints(trial, what, bare, preloaded):
    less, more = steady_lines(bare) - steady_lines(preloaded), steady_lines(preloaded) - steady_lines(bare)
    trial.expect(f"the same {what} under us (lacking: {list(less)[:3]}, new: {list(more)[:3]})", not less and not more)


def run_under_us(trial, tool, words, see):
    """`see(run)`: the tool's result, whose truth says that there is one. Returns the run under the preload."""
    command = [tool, *words, trial.native("launches"), trial.runtimes()[0]["library"], LAUNCHES]
    bare = trial.runs.run(command, recorded=False)
    seen = see(bare)
    if bare.status != 0 or not seen:
        raise Lacked(f"a tool that works here without us: status {bare.status}, seen {seen}: "
                     f"{(bare.errors or bare.output).strip()[-300:]}")
    preloaded = trial.runs.run(command)
    compare_runs(trial, (bare, seen), (preloaded, see(preloaded)))
    trial.note(recorder_said=preloaded.lines_of_recorder(), logs=len(preloaded.log_files()))
    return preloaded


def compare_runs(trial, bare, preloaded):
    """Each is a run and what the tool saw in it."""
    (bare_run, bare_seen), (run, seen) = bare, preloaded
    trial.note(seen={"bare": bare_seen, "preloaded": seen})
    trial.expect(f"the exit status is {bare_run.status} (it is {run.status})", run.status == bare_run.status)
    trial.expect(f"the tool sees the same under us ({seen})", seen == bare_seen)
    compare_prints(trial, "output", bare_run.output, run.output)
    compare_prints(trial, "errors", bare_run.errors, run.errors)


# ---- What each tool finds ----

def kernels_of_ncu(output):
    """{kernel: how often} of ncu's table; lines before it say what the tool does."""
    lines = output.splitlines()
    first = next((number for number, line in enumerate(lines) if line.startswith('"ID",')), len(lines))
    rows = csv.DictReader(lines[first:])
    return collections.Counter(row["Kernel Name"] for row in rows if row.get("Metric Name") == METRIC)


def summary_of_sanitizer(output):
    """"0 errors"; None: the tool did not get there."""
    found = re.search(r"ERROR SUMMARY: (\d+ errors?)", output)
    return found and found.group(1)


def end_seen_by_gdb(output):
    """"exited normally"; None: the debugger did not see the end."""
    found = re.search(r"\[Inferior \d+ \(.*\) (exited .*)\]", output)
    return found and found.group(1)


def look_at_ncu(trial):
    run_under_us(trial, trial.need_tool("ncu"), ["--csv", "--metrics", METRIC],
                 lambda run: dict(kernels_of_ncu(run.output)))


def look_at_sanitizer(trial):
    run_under_us(trial, trial.need_tool("compute-sanitizer"), [],
                 lambda run: summary_of_sanitizer(run.output + run.errors))


def look_at_gdb(trial):
    run_under_us(trial, trial.need_tool("cuda-gdb"), ["--batch", "-ex", "run", "--args"],
                 lambda run: end_seen_by_gdb(run.output + run.errors))


def look_at_nsys(trial):
    nsys = trial.need_tool("nsys")
    run_under_us(trial, nsys, ["profile", "--trace=cuda", "--sample=none", "--cpuctxsw=none", "--output=seen"],
                 lambda run: sets_seen_by(nsys, trial, run.place))


CHECKS = (
    Check("ncu-preloaded", "Nsight Compute under the preload ends, prints and finds what it does without it.",
          look_at_ncu),
    Check("compute-sanitizer-preloaded", "compute-sanitizer under the preload ends, prints and finds what it does "
          "without it.", look_at_sanitizer),
    Check("cuda-gdb-preloaded", "cuda-gdb under the preload ends, prints and sees the program end as it does without "
          "it.", look_at_gdb),
    Check("nsys-preloaded", "Nsight Systems under the preload ends, prints and sees what it does without it.",
          look_at_nsys),
)
