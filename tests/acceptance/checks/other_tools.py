"""Other profilers beside us: PyTorch's, Triton's (Proton) and Nsight Systems get what they get without us."""

import collections
import csv
import json

from check import Check, Lacked
from pieces import PROGRAMS, SCENARIOS

DEVICE_ROWS = ("kernel", "gpu_memcpy", "gpu_memset")
HOST_ROWS = ("cuda_runtime", "cuda_driver")
SETS = 2000


# ---- torch.profiler ----

def rows_of_trace(file, categories):
    events = json.loads(file.read_text(encoding="utf-8"))["traceEvents"]
    return collections.Counter((event["cat"], event["name"]) for event in events if event.get("cat") in categories)


def look_at_torch_profiler(trial):
    trial.need_torch()
    command = [trial.python, SCENARIOS / "scenarios" / "profiled.py", "--trace", "trace.json"]
    bare, recorded = trial.run_both(command)
    again = trial.runs.run(command, recorded=False)
    traces = [run.place / "trace.json" for run in (bare, again, recorded)]
    if trial.expect("all runs leave a trace", all(file.exists() for file in traces)):
        compare_traces(trial, traces[:2], traces[2])
    log = trial.only_log(recorded)
    if log:
        trial.note(gaps=log.gaps(), drops=log.drops(), our_device_rows=len(log.work()))
        trial.expect("our log says for when it gave way", log.gaps()["somebody else uses CUPTI"] > 0)
        trial.expect("our log has the device work of the other steps", bool(log.work()))


def compare_traces(trial, bare, recorded):
    """Which host rows there are may differ by chance (queries), so those of several bare runs count together."""
    device = {"bare": rows_of_trace(bare[0], DEVICE_ROWS), "recorded": rows_of_trace(recorded, DEVICE_ROWS)}
    host = {"bare": collections.Counter(), "recorded": rows_of_trace(recorded, HOST_ROWS)}
    for file in bare:
        host["bare"] |= rows_of_trace(file, HOST_ROWS)
    trial.note(device_rows={way: sum(rows.values()) for way, rows in device.items()},
               host_rows={way: {f"{kind} {name}": count for (kind, name), count in rows.items()}
                          for way, rows in host.items()})
    trial.expect("its trace has device work", sum(device["bare"].values()) > 0)
    trial.expect("its trace has the same device work with us", device["recorded"] == device["bare"])
    ours = sorted(name for _, name in set(host["recorded"]) - set(host["bare"]))
    trial.expect(f"no row of ours is in its trace ({ours})", not ours)
    more = {name: (host["bare"][kind, name], count) for (kind, name), count in host["recorded"].items()
            if count > host["bare"][kind, name] and ("Launch" in name or "Event" in name)}
    trial.expect(f"no launch and no event is more often in it ({more})", not more)


# ---- Proton ----

def kernels_of_proton(file):
    """{name: count} of the leaves of its tree that have a count."""
    def visit(node, counts):
        metrics = node.get("metrics", {})
        if "count" in metrics and not node.get("children"):
            counts[node.get("frame", {}).get("name", "?")] += metrics["count"]
        for child in node.get("children", []):
            visit(child, counts)
        return counts

    counts = collections.Counter()
    for root in json.loads(file.read_text(encoding="utf-8")):
        visit(root, counts)
    return counts


def look_at_proton(trial):
    trial.need_torch()
    triton = trial.machine["triton"]
    if not triton.get("proton"):
        raise Lacked(f"Proton, Triton's profiler: {triton.get('why', 'no Triton')}")
    command = [trial.python, PROGRAMS / "proton_training.py"]
    bare = trial.runs.run(command, recorded=False)
    if bare.status != 0:
        raise Lacked(f"a Proton that works here: {bare.errors.strip().splitlines()[-1:]}")
    recorded = trial.runs.run(command)
    trial.expect_same_outside(bare, recorded)
    counts = {way: sum((kernels_of_proton(file) for file in run.place.glob("*.hatchet")), collections.Counter())
              for way, run in (("bare", bare), ("recorded", recorded))}
    trial.note(kernels={way: sum(rows.values()) for way, rows in counts.items()},
               recorder_said=recorded.lines_of_recorder())
    trial.expect("Proton sees the same kernels with us", counts["recorded"] == counts["bare"])
    log = trial.only_log(recorded)
    if log:
        trial.note(gaps=log.gaps(), drops=log.drops(), our_device_rows=len(log.work()),
                   device_times=log.attribute("device_times"))
        trial.expect("our log says for when it has no device times", bool(log.gaps()))
        last_gap = max((row["start"] + row["duration"] for row in log.rows["gap"]), default=0)
        trial.expect("our log has device work from after Proton's", any(row["start"] > last_gap for row in log.work()))
    if not counts["bare"]:
        raise Lacked("a Proton that sees kernels without us")


# ---- A subscriber of its own ----

SUBSCRIBERS_HAVE_CLOCKS_FROM = 130400  # CUDA 13.4
NO_OTHERS = 39  # CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED


def look_at_subscriber(trial):
    runtimes = [runtime for runtime in trial.runtimes()
                if (runtime["cupti"] or 0) >= SUBSCRIBERS_HAVE_CLOCKS_FROM]
    if not runtimes:
        raise Lacked(f"CUPTI of CUDA 13.4 or newer (here: {[runtime['cupti'] for runtime in trial.runtimes()]})")
    bare, recorded = trial.run_both([trial.python, PROGRAMS / "cupti_subscriber.py", runtimes[0]["library"], str(SETS)])
    log = trial.only_log(recorded)
    trial.note(printed=bare.output, recorder_said=recorded.lines_of_recorder())
    if f"subscription {NO_OTHERS}," in bare.output:
        raise Lacked("a driver with which several subscribers get records (r610 or newer)")
    trial.expect("the subscriber sees its sets without us", f"subscription 0, {SETS} sets" in bare.output)
    if log:
        trial.note(gaps=log.gaps(), drops=log.drops(), sets=len(log.work("memset")))
        trial.expect_silence(recorded)
        trial.expect(f"each of {3 * SETS} sets is in our log, timed by CUPTI",
                     len(log.work("memset")) == 3 * SETS and log.attribute("device_times") == "CUPTI")


# ---- Nsight Systems ----

INSIDE = 'export LD_PRELOAD="$LIBRARY_OF_TAUPROF${LD_PRELOAD:+:$LD_PRELOAD}"; exec "$@"'


def sets_seen_by(nsys, trial, place):
    """The device memory operations in Nsight's statistics: {operation: count}."""
    done = trial.runs.run([nsys, "stats", "--report", "cuda_gpu_mem_size_sum", "--format", "csv", "--force-export=true",
                           place / "seen.nsys-rep"], recorded=False)
    return operations_in(done.output)


def operations_in(statistics):
    """Of the table with "Count" and "Operation" among its columns; lines before it say what the tool does."""
    lines = statistics.splitlines()
    first = next((number for number, line in enumerate(lines) if "Count," in line and "Operation" in line), len(lines))
    return {row["Operation"]: int(row["Count"]) for row in csv.DictReader(lines[first:]) if row.get("Operation")}


def look_at_nsys(trial):
    nsys = trial.need_tool("nsys")
    command = trial.cuda_calls("sets", SETS)
    profiled = [nsys, "profile", "--trace=cuda", "--sample=none", "--cpuctxsw=none", "--output=seen"]
    bare = trial.runs.run([*profiled, *command], recorded=False)
    if bare.status != 0:
        raise Lacked(f"an Nsight Systems that works here: {(bare.errors or bare.output).strip()[-300:]}")
    recorded = trial.runs.run([*profiled, "sh", "-c", INSIDE, "sh", *command], recorded=False, variables={
        "LIBRARY_OF_TAUPROF": str(trial.pieces.library), "TAUPROF_DIR": "logs"})
    trial.expect(f"the recorded run ends with 0 ({recorded.status})", recorded.status == 0)
    seen = {way: sets_seen_by(nsys, trial, run.place) for way, run in (("bare", bare), ("recorded", recorded))}
    trial.note(seen_by_nsys=seen, recorder_said=recorded.lines_of_recorder())
    trial.expect("Nsight sees the program's sets without us", sum(seen["bare"].values()) >= SETS)
    trial.expect("Nsight sees the same with us", seen["recorded"] == seen["bare"])
    log = trial.only_log(recorded)
    if log:
        trial.note(device_times=log.attribute("device_times"), sets=len(log.work("memset")), drops=log.drops(),
                   shared=log.attribute("cupti_shared"))
        trial.expect("our device times do not come from CUPTI, which Nsight has, unless it allows others",
                     log.attribute("device_times") != "CUPTI" or log.attribute("cupti_shared") is not None)
        trial.expect(f"each of {SETS} sets is in our log", len(log.work("memset")) == SETS)


CHECKS = (
    Check("torch-profiler", "PyTorch's profiler beside us has all of its rows and none of ours.",
          look_at_torch_profiler),
    Check("proton", "Proton takes CUPTI unseen: it sees what it sees without us, and our log says what it lacks.",
          look_at_proton),
    Check("subscriber", "A profiler with a subscriber that allows others and we have all of our records.",
          look_at_subscriber),
    Check("nsys", "Nsight Systems holds CUPTI: it sees what it sees without us, and our times come from CUDA events.",
          look_at_nsys),
)
