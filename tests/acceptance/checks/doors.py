"""Programs whose calls no hook sees: they come from CUPTI's callbacks and from NCCL's profiler plugin."""

import collections

from check import Check, Lacked
from pieces import PROGRAMS

SETS = 1000
REDUCTIONS, MESSAGES = 50, 20
NO_NCCL = 3  # the exit status of nccl_calls.py where there is none


def look_at_runtime_by_dlsym(trial):
    if not any(runtime["cupti"] for runtime in trial.runtimes()):
        raise Lacked("CUPTI beside a CUDA runtime")
    _, run = trial.run_both(trial.cuda_calls("--local", "sets", SETS))
    trial.expect_silence(run)
    log = trial.only_log(run)
    if log:
        calls = collections.Counter(row["function"] for row in log.rows["call"])
        trial.note(calls=calls, sets=len(log.work("memset")), without_call=log.without_call())
        trial.expect(f"each of {SETS} calls is in the log once ({calls['cudaMemsetAsync']})", calls["cudaMemsetAsync"] == SETS)
        trial.expect(f"each set has its call ({log.without_call()} have none)",
                     len(log.work("memset")) == SETS and log.without_call() == 0)
        trial.expect("the wait at the end is in the log", calls["cudaDeviceSynchronize"] >= 1)


def look_at_nccl_by_ctypes(trial):
    runtime = trial.runtimes()[0]
    command = [trial.python, PROGRAMS / "nccl_calls.py", runtime["library"], str(REDUCTIONS), str(MESSAGES)]
    bare = trial.runs.run(command, ranks=2, recorded=False)
    if bare.status == NO_NCCL:
        raise Lacked(f"NCCL: {bare.errors.strip()[-200:]}")
    recorded = trial.runs.run(command, ranks=2)
    trial.expect_same_outside(bare, recorded)
    trial.expect_silence(recorded)
    logs = trial.logs(recorded)
    contents, report = logs.read(), logs.report()
    trial.expect(f"both ranks leave a log ({len(contents)})", len(contents) == 2)
    for log in contents:
        rows = collections.Counter((row["operation"], row["datatype"], row["count"]) for row in log.rows["collective"])
        trial.note(**{f"rows_of_{log.log.pid}": {str(row): count for row, count in rows.items()}})
        trial.expect(f"each of {REDUCTIONS} all-reduces is in the log, with its size ({dict(rows)})",
                     rows["all_reduce", "float32", 1024] == REDUCTIONS)
        messages = [row for row in log.rows["collective"] if row["operation"] in ("send", "receive")]
        trial.expect(f"each of {2 * MESSAGES} messages is in the log, with its peer ({len(messages)})",
                     len(messages) == 2 * MESSAGES and all(row["peer"] > 0 for row in messages))
        trial.expect(f"each span has its call ({log.without_call()} have none)", log.without_call() == 0)
    matched = sum(row["count"] for row in report.get("collectives", []) if row["op"] == "all_reduce")
    trial.note(matched=matched, nccl=contents[0].attribute("version.nccl") if contents else None)
    trial.expect(f"the report matches the all-reduces of both ranks ({matched})", matched == REDUCTIONS)


CHECKS = (
    Check("runtime-by-dlsym", "Calls of a runtime that was found by dlsym are recorded (injection, CUPTI's callbacks).",
          look_at_runtime_by_dlsym),
    Check("nccl-by-ctypes", "Collectives and messages of an NCCL that was found by dlsym are recorded (its profiler plugin).",
          look_at_nccl_by_ctypes, 240),
)
