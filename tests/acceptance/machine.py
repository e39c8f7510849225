"""What this machine has: GPUs, driver, CUDA runtimes and their CUPTI, PyTorch, Triton, tools, versions."""

from __future__ import annotations

import datetime
import glob
import json
import os
import pathlib
import platform
import shutil
import subprocess

from pieces import PROGRAMS

PLACES_OF_TOOLS = {"nsys": ("/opt/nvidia/nsight-systems*/*/bin/nsys", "/opt/nvidia/nsight-systems*/bin/nsys",
                            "/usr/local/cuda*/bin/nsys"),
                   "nvcc": ("/usr/local/cuda*/bin/nvcc",)}
TIMEOUT_S = 180


def answer(command, timeout=TIMEOUT_S):
    """What a command prints; None: it failed, or does not exist."""
    try:
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, universal_newlines=True, timeout=timeout, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def json_answer(command):
    """The last line that a command prints, as JSON; {}: it failed."""
    lines = (answer(command) or "").splitlines()
    try:
        return json.loads(lines[-1]) if lines else {}
    except ValueError:
        return {}


def find_tool(name):
    found = shutil.which(name)
    for pattern in PLACES_OF_TOOLS.get(name, ()):
        found = found or next(iter(sorted(glob.glob(pattern), reverse=True)), None)
    return found


def runtime_libraries(path, prefix):
    """Shared CUDA runtimes: those that the loader finds by name, of wheels, and of toolkits."""
    names = ["libcudart.so.13", "libcudart.so.12"]
    for preloaded in os.environ.get("LD_PRELOAD", "").split(":"):
        if os.path.basename(preloaded) in names:
            return [os.path.basename(preloaded)]  # every program gets this one
    patterns = [f"{place}/nvidia/*/lib/libcudart.so.1[23]" for place in path]
    patterns += [f"{prefix}/lib/libcudart.so.1[23]", "/usr/local/cuda*/lib64/libcudart.so.1[23]"]
    real = {}
    for file in [file for pattern in patterns for file in sorted(glob.glob(pattern), reverse=True)]:
        real.setdefault(os.path.realpath(file), file)
    return list(real.values()) + names


def find_runtimes(python, described):
    """Those that work here, each version of runtime and CUPTI once; that of the wheels of `python` first."""
    found = {}
    for library in runtime_libraries(described.get("path", []), described.get("prefix", "/usr")):
        told = json_answer([python, PROGRAMS / "probe_runtime.py", library])
        if told.get("runtime"):
            found.setdefault((told["runtime"], told["cupti"]), {"library": library, **told})
    return list(found.values())


def glibc_version():
    return os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else None


def describe_machine(python):
    described = json_answer([python, PROGRAMS / "describe_python.py"])
    runtimes = find_runtimes(python, described)
    listed = answer(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"]) or ""
    torch = described.get("torch", {"why": f"{python} does not start"})
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "host": platform.node(), "system": platform.platform(), "glibc": glibc_version(), "cpus": os.cpu_count(),
        "simulated": "libsimgpu" in os.environ.get("LD_PRELOAD", ""),
        "gpus": max((runtime["devices"] for runtime in runtimes), default=len(listed.splitlines())),
        "gpu_names": listed.splitlines(), "mig": [line.strip() for line in (answer(["nvidia-smi", "-L"]) or "").splitlines()
                                                  if "MIG-" in line],
        "runtimes": runtimes, "python": described.get("python"), "torch": torch,
        "triton": described.get("triton", {}),
        "tools": {name: find_tool(name) for name in ("nvidia-smi", "nsys", "nvcc", "gcc")},
        "library_path": library_path(runtimes, described.get("path", [])),
    }


def library_path(runtimes, path):
    """Where a compiled program may find the libraries of CUDA."""
    folders = [str(pathlib.Path(runtime["library"]).parent) for runtime in runtimes if os.sep in runtime["library"]]
    return folders + sorted(folder for place in path for folder in glob.glob(f"{place}/nvidia/*/lib"))
