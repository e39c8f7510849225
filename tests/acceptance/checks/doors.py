"""Programs whose calls no hook sees: they come from CUPTI's callbacks and from NCCL's profiler plugin. And who else is at
the same doors."""

import collections

from check import Check, Lacked
from checks.training import library_path, workload
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


def look_at_driver_alone(trial):
    if not any(runtime["cupti"] for runtime in trial.runtimes()):
        raise Lacked("CUPTI beside a CUDA runtime")
    _, run = trial.run_both([trial.python, PROGRAMS / "driver_calls.py", SETS], variables=library_path(trial))
    trial.expect_silence(run)
    log = trial.only_log(run)
    if log:
        calls = collections.Counter(row["function"] for row in log.rows["call"])
        trial.note(calls=calls, sets=len(log.work("memset")), without_call=log.without_call())
        trial.expect(f"each of {SETS} calls is in the log once ({calls['cuMemsetD32Async']})",
                     calls["cuMemsetD32Async"] == SETS)
        trial.expect(f"each set has its call ({log.without_call()} have none)",
                     len(log.work("memset")) == SETS and log.without_call() == 0)
        memory = collections.Counter(row["action"] for row in log.rows["memory"])
        trial.expect(f"its memory is in the log ({dict(memory)})", memory == {"allocate": 1, "free": 1})


def look_at_not_preloaded(trial):
    if not any(runtime["cupti"] for runtime in trial.runtimes()):
        raise Lacked("CUPTI beside a CUDA runtime")
    command, library = trial.cuda_calls("sets", SETS), str(trial.pieces.library)
    variables = {"CUDA_INJECTION64_PATH": library, "NCCL_PROFILER_PLUGIN": library, "NVTX_INJECTION64_PATH": library,
                 "TAUPROF_ENABLE": "1", "TAUPROF_DIR": "logs"}  # in the folder of the run
    bare = trial.runs.run(command, recorded=False)
    run = trial.runs.run(command, recorded=False, variables=variables)
    trial.expect_same_outside(bare, run)
    trial.expect_silence(run)
    log = trial.only_log(run)
    if log:
        calls = collections.Counter(row["function"] for row in log.rows["call"])
        trial.note(calls=calls, sets=len(log.work("memset")), without_call=log.without_call())
        trial.expect(f"each of {SETS} calls is in the log once, with its work ({calls['cudaMemsetAsync']})",
                     calls["cudaMemsetAsync"] == len(log.work("memset")) == SETS and log.without_call() == 0)


def look_at_expandable_segments(trial):
    trial.need_torch()
    command = [trial.python, PROGRAMS / "torch_training.py"]
    expandable = {name: "expandable_segments:True" for name in ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")}
    _, run = trial.run_both(command, variables=expandable)
    trial.expect_silence(run)
    [memory] = trial.logs(run).report().get("memory", {}).get("ranks", [None]) or [None]
    if trial.expect("the report has the memory of one rank", memory is not None):
        trial.note(memory=memory)
        peak, reserved = memory["peak_bytes"], memory["peak_reserved_bytes"]
        trial.expect(f"the memory that PyTorch reserved ({reserved}) was recorded ({peak})",
                     reserved is not None and peak >= reserved and not memory["is_lower_bound"])


def nccl_by_ctypes(trial, variables=None):
    """The bare run and the recorded one."""
    runtime = trial.runtimes()[0]
    command = [trial.python, PROGRAMS / "nccl_calls.py", runtime["library"], str(REDUCTIONS), str(MESSAGES)]
    bare = trial.runs.run(command, ranks=2, recorded=False, variables=variables)
    if bare.status == NO_NCCL:
        raise Lacked(f"NCCL: {bare.errors.strip()[-200:]}")
    recorded = trial.runs.run(command, ranks=2, variables=variables)
    trial.expect_same_outside(bare, recorded)
    return bare, recorded


def look_at_second_plugin(trial):
    plugin = trial.pieces.second_plugin
    if not plugin.exists():
        raise Lacked("the second plugin: it was not built")
    path = ":".join(filter(None, [str(plugin.parent), library_path(trial)["LD_LIBRARY_PATH"]]))
    runs = nccl_by_ctypes(trial, {"LD_LIBRARY_PATH": path, "SECOND_PLUGIN_OUT": "events"})  # in the folder of the run
    bare, recorded = ([collections.Counter((run.place / "events").read_text(encoding="utf-8").splitlines())]
                      if (run.place / "events").exists() else [] for run in runs)
    if not bare:
        raise Lacked("NCCL that takes a plugin of interface 5 or newer (2.28)")
    trial.note(events=bare[0], events_when_recorded=recorded[0] if recorded else None)
    trial.expect("the plugin has the same events when the run is recorded", bare == recorded)
    for log in trial.logs(runs[1]).read():
        reductions = sum(row["operation"] == "all_reduce" for row in log.rows["collective"])
        trial.expect(f"each of {REDUCTIONS} all-reduces is in our log, too ({reductions})", reductions == REDUCTIONS)


def look_at_nccl_by_ctypes(trial):
    _, recorded = nccl_by_ctypes(trial)
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


def look_at_nccl_phases(trial):
    trial.need_gpus(2)
    training, variables = workload(trial)
    asked = {**variables, "TAUPROF_CAPTURE": "api,device,gemm,nccl,memory,nccl-phases"}
    _, run = trial.run_both([training, "--small", "--steps", 20, "--windows"], ranks=2, variables=asked)
    trial.expect_silence(run)
    logs = trial.logs(run)
    channels = [log.rows["channel_phases"] for log in logs.read()]
    quality = logs.report().get("quality", {})
    kernels = sorted({row["name"] for row in logs.report().get("kernels", []) if "nccl" in row["name"]})
    trial.note(channels=[len(rows) for rows in channels], first_rows=[rows[:4] for rows in channels], kernels=kernels,
               nccl_split=quality.get("nccl_split"), collectives=quality.get("collectives"),
               nccl=logs.read()[0].attribute("version.nccl"))
    if not any("Symk" in kernel for kernel in kernels):
        raise Lacked(f"symmetric kernels of NCCL; it ran {kernels}")
    if not any(channels):
        raise Lacked("NCCL that says what its symmetric kernels do (interface 7: 2.31)")
    split = quality.get("nccl_split") or {}
    trial.expect(f"channels span the kernels that CUPTI recorded ({split.get('collectives')} collectives)",
                 split.get("collectives", 0) > 0)
    apart = split.get("mean_difference_ns")
    trial.expect(f"NCCL's waits are within 50 µs of those by clocks ({apart} ns)", apart is not None and apart < 50_000)


CHECKS = (
    Check("runtime-by-dlsym", "Calls of a runtime that was found by dlsym are recorded (injection, CUPTI's callbacks).",
          look_at_runtime_by_dlsym),
    Check("nccl-by-ctypes", "Collectives and messages of an NCCL that was found by dlsym are recorded (its profiler plugin).",
          look_at_nccl_by_ctypes, 240),
    Check("driver-alone", "A program that calls the driver alone is recorded (injection, CUPTI's callbacks).",
          look_at_driver_alone),
    Check("not-preloaded", "A process that does not preload us records by the injection variables.", look_at_not_preloaded),
    Check("second-plugin", "Another plugin in NCCL's slot has its events, and we have ours.", look_at_second_plugin, 240),
    Check("nccl-phases", "NCCL's own split of symmetric kernels agrees with the clocks (profiler interface 7).",
          look_at_nccl_phases, 240),
    Check("expandable-segments", "Memory that PyTorch takes from the driver is in the log (functions that the runtime gave).",
          look_at_expandable_segments, 240),
)
