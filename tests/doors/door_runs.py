"""Runs the programs of these tests, and reduces a log or a report to what does not depend on the time that it took."""

import collections
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "capture"))

from recorded_run import program  # noqa: E402

WAYS = ("static", "late_nccl", "late", "deepbind")
LOSES_CUBLAS = ("late", "deepbind")  # cuBLAS by dlsym: the kernels belong to the launches inside of it
LOSES_NVTX = ("deepbind",)  # it asks libc for the variable, so steps are found without marks


def door_program(name):
    return str(pathlib.Path(program("TAUPROF_DOOR_PROGRAMS")) / name)


def arguments(text="", ranks=2):
    return ["--small", "--steps", "4", *text.split(), "--ranks", str(ranks)]


def run_program(recorder, way, text="", ranks=2, **how):
    path = program("TAUPROF_TRAINING") if way == "shared" else door_program(f"training_{way}")
    return recorder.run([path, *arguments(text, ranks)], **how)


def calls_by_function(log):
    """The calls of the runtime, without those that cuBLAS makes of its own runtime and NCCL of the driver."""
    return collections.Counter(row["function"] for row in log.rows["call"]
                               if not row["function"].startswith(("cublas", "nccl", "pnccl", "cudaLaunchKernelExC")))


def counts_of_kernels(report, way):
    """A copy at the start of a step that has no mark may count for the step before."""
    return sorted((row["name"], row["class"], row["count"]) for row in report["kernels"]
                  if row["class"] != "copy" or way not in LOSES_NVTX)


def of_all_times(report, way):
    counted = {
        "steps": report["steps"]["count"],
        "ranks": report["run"]["ranks"],
        "kernels": counts_of_kernels(report, way),
        "collectives": sorted((row["op"], row["dtype"], row["size_bytes"], row["count"]) for row in report["collectives"]),
        "memory": report["memory"]["peak_bytes"],
        "unmatched": report["quality"]["unmatched_spans"],
        "dropped": report["quality"]["dropped"],
    }
    if way not in LOSES_CUBLAS:
        counted["flops"] = report["efficiency"]["executed_flops"]
    return counted
