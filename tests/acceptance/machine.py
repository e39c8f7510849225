"""The equipment of this machine: GPUs, driver, CUDA runtimes and their CUPTI, PyTorch, Triton, tools, versions."""

from __future__ import annotations

import datetime
import glob
import os
import pathlib
import platform
import shutil

from answers import json_answer, lines_of
from pieces import PROGRAMS
from runtimes import find_cupti_copies, find_runtimes

PLACES_OF_TOOLS = {"nsys": ("/opt/nvidia/nsight-systems*/*/bin/nsys", "/opt/nvidia/nsight-systems*/bin/nsys",
                            "/usr/local/cuda*/bin/nsys"),
                   "ncu": ("/opt/nvidia/nsight-compute/*/ncu", "/usr/local/cuda*/bin/ncu"),
                   "compute-sanitizer": ("/usr/local/cuda*/bin/compute-sanitizer",),
                   "cuda-gdb": ("/usr/local/cuda*/bin/cuda-gdb",), "nvcc": ("/usr/local/cuda*/bin/nvcc",)}
TOOLS = ("nvidia-smi", "nsys", "ncu", "compute-sanitizer", "cuda-gdb", "nvcc", "gcc")


def find_tool(name):
    found = shutil.which(name)
    for pattern in PLACES_OF_TOOLS.get(name, ()):
        found = found or next(iter(sorted(glob.glob(pattern), reverse=True)), None)
    return found


def library_path(runtimes, path):
    """Where a compiled program may find the libraries of CUDA."""
    folders = [str(pathlib.Path(runtime["library"]).parent) for runtime in runtimes if os.sep in runtime["library"]]
    return folders + sorted(folder for place in path for folder in glob.glob(f"{place}/nvidia/*/lib"))


def describe_machine(python):
    described, why = json_answer([python, PROGRAMS / "describe_python.py"])
    path, torch = described.get("path", []), described.get("torch", {"why": why})
    runtimes, failed = find_runtimes(python, path, described.get("prefix", "/usr"))
    listed = lines_of(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"])
    instances = [line.strip() for line in lines_of(["nvidia-smi", "-L"]) if "MIG-" in line]
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "host": platform.node(), "system": platform.platform(), "cpus": os.cpu_count(),
        "glibc": os.confstr("CS_GNU_LIBC_VERSION"),
        "simulated": "libsimgpu" in os.environ.get("LD_PRELOAD", ""),
        "gpus": max([runtime["devices"] for runtime in runtimes] + [torch.get("gpus", 0)]),
        "gpu_names": listed, "mig": instances,
        "runtimes": runtimes, "runtimes_that_do_not_work": failed, "cupti_copies": find_cupti_copies(python, path),
        "python": described.get("python"), "torch": torch, "triton": described.get("triton", {}),
        "tools": {name: find_tool(name) for name in TOOLS},
        "library_path": library_path(runtimes, path),
    }
