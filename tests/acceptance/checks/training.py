"""Training programs, bare and recorded: the same from outside, complete logs, PyTorch's own counts, and the cost."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys

from check import Check, Lacked
from pieces import PROGRAMS, SCENARIOS

sys.path.insert(0, str(SCENARIOS))

from scenario_table import SCENARIOS as OF_PYTORCH  # noqa: E402

STEPS = 40


def seconds_of(run):
    """As the program measured them."""
    words = [line.split() for line in run.output.splitlines()]
    own = [float(line[1]) for line in words if line[:1] == ["seconds"] and len(line) == 2]
    return own[0] if own else sum(float(line[line.index("took") + 1]) for line in words if "took" in line) / 1e3


def alternate(trial, command, ranks, variables=None):
    """Bare and recorded runs in turns."""
    bare, recorded = [], []
    for _ in range(trial.settings["rounds"]):
        bare.append(trial.runs.run(command, ranks=ranks, recorded=False, variables=variables))
        recorded.append(trial.runs.run(command, ranks=ranks, variables=variables))
    return bare, recorded


def expect_complete(trial, ranks, bare, recorded, gives_way=False):
    """`gives_way`: the recorder may say so, and lacks what another profiler has. Returns counts of device work."""
    logs = trial.logs(recorded[0])
    quality = logs.report().get("quality", {})
    work = logs.count_device_work()
    statuses = [run.status for run in bare + recorded]
    trial.expect(f"all runs end with 0 ({statuses})", not any(statuses))
    trial.expect("all runs print the same", len({run.printed() for run in bare + recorded}) == 1)
    for run in recorded if not gives_way else []:
        trial.expect_silence(run)
    trial.expect("the logs are whole", logs.are_whole())
    trial.expect(f"there is a log for each of {ranks} ranks ({len(work)})", len(work) == ranks)
    trial.expect("each rank has device work", bool(work) and all(counts["kernel"] for counts in work))
    trial.expect(f"nothing was dropped ({quality.get('dropped')})", quality.get("dropped") == 0 or gives_way)
    trial.expect(f"each span has its call ({quality.get('unmatched_spans')} have none)",
                 quality.get("unmatched_spans") == 0)
    times = {way: [round(seconds_of(run), 6) for run in runs] for way, runs in (("bare", bare), ("recorded", recorded))}
    middle = {way: statistics.median(values) for way, values in times.items()}
    trial.note(ranks=ranks, seconds=times, overhead=middle["recorded"] / middle["bare"] - 1 if middle["bare"] else None,
               events=quality.get("events"), device_work=work)
    return work


def library_path(trial):
    folders = trial.machine["library_path"] + os.environ.get("LD_LIBRARY_PATH", "").split(":")
    return {"LD_LIBRARY_PATH": ":".join(filter(None, folders))}


def workload(trial):
    """The workload in CUDA C++, and the variables with which it runs."""
    trial.runtimes()
    training, variables = trial.pieces.training, library_path(trial)
    if not training.exists():
        raise Lacked("the workload in CUDA C++: there was no nvcc where this was built")
    trying = subprocess.run([str(training), "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            universal_newlines=True, env={**os.environ, **variables}, check=False)
    if "error while loading shared libraries" in trying.stderr or "GLIBC" in trying.stderr:
        raise Lacked(f"the libraries of the workload in CUDA C++: {trying.stderr.strip()}")
    return training, variables


def look_at_workload(trial, ranks):
    training, variables = workload(trial)
    command = [training, "--small", "--steps", STEPS, "--timing", "--loss-every", 1]
    bare, recorded = alternate(trial, command, ranks, variables)
    work = expect_complete(trial, ranks, bare, recorded)
    trial.expect("all ranks have as many kernels", len({counts["kernel"] for counts in work}) == 1)


def look_at_torch(trial, ranks):
    trial.need_torch()
    command = [trial.python, PROGRAMS / "torch_training.py"]
    bare, recorded = alternate(trial, command, ranks, {"TAUPROF_CAPTURE_RANGE": "cudaProfilerApi"})
    work = expect_complete(trial, ranks, bare, recorded)
    profiled = trial.runs.run([*command, "--profile", "profile"], ranks=ranks, recorded=False)
    files = sorted(profiled.place.glob("profile.*"))
    counted = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    ours = [{kind: counts[kind] for kind in ("kernel", "memcpy", "memset")} for counts in work]
    trial.note(counted_by_pytorch=counted)
    trial.expect(f"PyTorch's profiler counts the same ({ours} and {counted})",
                 sorted(map(str, ours)) == sorted(map(str, counted)))


def look_at_scenario(trial, scenario):
    trial.need_torch()
    ranks, launched = max(1, scenario.ranks), scenario.ranks > 0
    if scenario.launcher == "accelerate":
        trial.need_gpus(ranks)  # it takes the GPU of its rank's number
    command = scenario.of_one_rank(trial.python)
    bare = trial.runs.run(command, ranks=ranks, launched=launched, recorded=False)
    if bare.status != 0 and "ModuleNotFoundError" in bare.errors:
        raise Lacked(bare.errors.strip().splitlines()[-1])
    recorded = [trial.runs.run(command, ranks=ranks, launched=launched, variables=variables)
                for variables in ({}, {"TAUPROF_STACKS": "slow"})]
    expect_complete(trial, ranks, [bare], recorded, scenario.profiles_itself)


def scenario_check(scenario):
    claim = f"tests/pytorch, {scenario.script} {scenario.arguments}: recorded, with and without stacks, as it is."
    return Check(f"scenario-{scenario.name}", claim, lambda trial: look_at_scenario(trial, scenario), 600)


CHECKS = (
    *(Check(f"workload-{ranks}", f"The workload in CUDA C++ on {ranks} rank(s) is recorded as it is.",
            lambda trial, ranks=ranks: look_at_workload(trial, ranks), 600) for ranks in (1, 2)),
    *(Check(f"torch-{ranks}", f"PyTorch on {ranks} rank(s) is recorded as it is; its own profiler counts the same.",
            lambda trial, ranks=ranks: look_at_torch(trial, ranks), 900) for ranks in (1, 2)),
)
SCENARIO_CHECKS = tuple(scenario_check(scenario) for scenario in OF_PYTORCH)
