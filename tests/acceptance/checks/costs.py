"""The costs of recording: device memory that CUPTI takes, CPU time over minutes, and the program's speed."""

import json
import os
import pathlib
import statistics
import time

from check import Check
from pieces import PROGRAMS

ROUNDS = 3
WINDOWS = 10
GROWTH = 0.5  # in which the CPU time of the last third of the windows may exceed that of the first
LEAST_MS = 1  # of CPU time a minute, below which a share says nothing
PROFILED_S = 300  # PyTorch's profiler works on its records after the loop
WIDTHS = (4096, 1024, 256, 16)  # the narrower, the shorter the kernels and the more launches a second


def look_at_memory(trial):
    ways = {"bare": None, "cupti": {}, "events": {"TAUPROF_DEVICE_TIMING": "events"}}
    free = {way: {"free_at_start": [], "free_after_burst": []} for way in ways}
    log = None
    for _ in range(ROUNDS):
        for way, variables in ways.items():
            run = trial.runs.run(trial.cuda_calls("memory", 20000), recorded=way != "bare", variables=variables)
            if not trial.expect(f"the program ends well ({way}: {run.status})", run.status == 0):
                return
            for name, value in json_line(run.output).items():
                free[way][name].append(value)
            log = trial.logs(run).read_one() if way == "cupti" else log
    taken = {way: {name: statistics.median(free["bare"][name]) - statistics.median(values)
                   for name, values in of_way.items()} for way, of_way in free.items() if way != "bare"}
    trial.note(summary=[f"{way}: {of_way['free_at_start'] / 1e6:.1f} MB at the start, "
                        f"{of_way['free_after_burst'] / 1e6:.1f} MB after a burst" for way, of_way in taken.items()],
               bytes_taken_because_of_us=taken, free=free)
    if log:
        trial.note(cupti=log.cupti_version(), **{name: log.attribute(name) for name in (
            "cupti_device_buffer_bytes", "cupti_device_buffers_at_start", "cupti_device_buffers_at_most")})


def json_line(output):
    return json.loads(output.splitlines()[0])


def cpu_ns_by_thread(pid):
    """{thread id: (name, CPU time)}"""
    found = {}
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        try:
            name = (task / "comm").read_text(encoding="utf-8").strip()
            found[task.name] = (name, cpu_ns(task))
        except OSError:
            pass  # a thread that has just ended
    return found


def cpu_ns(task):
    try:
        return int((task / "schedstat").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        fields = (task / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")


def sums(pid):
    """CPU time of the program's first thread, the recorder's threads, and all others, which may be CUPTI's."""
    total = {"program": 0, "recorder": 0, "others": 0}
    for thread, (name, used) in cpu_ns_by_thread(pid).items():
        total["program" if thread == str(pid) else "recorder" if name.startswith("tauprof") else "others"] += used
    return total


def look_at_cpu_time(trial):
    """A bare and a recorded program side by side; a tenth of the minutes is a window."""
    window_s = trial.settings["minutes"] * 60 / WINDOWS
    command = trial.cuda_calls("steady", trial.settings["minutes"] * 60 + 1)
    started = {"bare": trial.runs.start(command, recorded=False), "recorded": trial.runs.start(command)}
    for one in started.values():
        trial.expect("the program works", one.wait_for("works"))
    series = {way: {name: [] for name in ("program", "recorder", "others")} for way in started}
    begin, before = time.monotonic(), {way: sums(one.processes[0].pid) for way, one in started.items()}
    for number in range(WINDOWS):
        time.sleep(max(0.0, begin + (number + 1) * window_s - time.monotonic()))
        for way, one in started.items():
            now = sums(one.processes[0].pid)
            for name, used in now.items():
                series[way][name].append(round((used - before[way][name]) / 1e6 / window_s * 60, 3))
            before[way] = now
    runs = {way: one.finish() for way, one in started.items()}
    trial.expect_same_outside(runs["bare"], runs["recorded"])
    trial.note(window_seconds=window_s, cpu_ms_per_minute=series)
    judge_growth(trial, series["recorded"], runs["recorded"])


def growth_of(values):
    """How much more the last third of the windows has than the first; None: too little to tell."""
    third = WINDOWS // 3
    first, last = statistics.mean(values[:third]), statistics.mean(values[-third:])
    return last / first - 1 if first > LEAST_MS else None


def judge_growth(trial, series, run):
    growth = {name: growth_of(values) for name, values in series.items()}
    trial.note(growth=growth, summary=[
        f"{name}: {values[0]:.0f} ms a minute at first, {values[-1]:.0f} at last" for name, values in series.items()])
    log = trial.only_log(run)
    if log:
        says_so = log.attribute("cupti_cpu_time_grows") is not None
        trial.note(cupti=log.cupti_version(), log_says_that_it_grows=says_so)
        grown = {name: share for name, share in growth.items() if share is not None and share > GROWTH}
        trial.expect(f"CPU time does not grow, or the log says that it does ({grown})", not grown or says_so)


def look_at_overhead(trial):
    """Each run goes through all widths, because PyTorch takes longer to start than any of them."""
    trial.need_torch()
    command = [trial.python, PROGRAMS / "launch_rates.py", trial.settings["seconds"], *WIDTHS]
    ways = {"bare": (command, {"recorded": False}), "tauprof": (command, {}),
            "torch.profiler": ([*command, "--profile"], {"recorded": False})}
    told = {way: [] for way in ways}
    for _ in range(trial.settings["rounds"]):
        for way, (line, how) in ways.items():
            run = trial.runs.run(line, timeout=PROFILED_S, **how)
            if not trial.expect(f"the program ends well ({way}: {run.status})", run.status == 0):
                return
            told[way].append([json.loads(line) for line in run.output.splitlines()])
    summary, table = [], []
    for number, width in enumerate(WIDTHS):
        rates = {way: [run[number]["steps_per_s"] for run in runs] for way, runs in told.items()}
        bare = statistics.median(rates["bare"])
        slower = {way: bare / statistics.median(rates[way]) - 1 for way in ("tauprof", "torch.profiler")}
        launches = round(bare * told["torch.profiler"][0][number]["launches_per_step"])
        table.append({"width": width, "launches_per_s": launches, "steps_per_s": rates, "slower": slower})
        summary.append(f"{launches} launches/s: " + ", ".join(f"{way} {share:+.1%}" for way, share in slower.items()))
    trial.note(summary=summary, launch_rates=table)


CHECKS = (
    Check("device-memory", "How much device memory CUPTI takes because of us.", look_at_memory, measures=True),
    Check("cpu-time", "CPU time a minute of the program, the recorder and all other threads.", look_at_cpu_time, 120,
          needs_minutes=True, measures=True),
    Check("overhead", "What recording costs at several launch rates, beside torch.profiler.", look_at_overhead, 3600,
          measures=True),
)
