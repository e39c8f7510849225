"""The CUDA runtimes and the copies of CUPTI on this machine, each tried in a process of its own."""

from __future__ import annotations

import glob
import os

from answers import json_answer
from pieces import PROGRAMS

NAMES = ("libcudart.so.13", "libcudart.so.12")
# Triton brings a CUPTI of its own, older than the one beside the runtime.
PLACES_OF_CUPTI = ("nvidia/*/lib/libcupti.so.1[23]", "triton/backends/nvidia/lib/cupti*/libcupti.so.1[23]")
TOOLKITS = "/usr/local/cuda*"


def preloaded_runtime():
    """The name of the one that every program gets, or None."""
    names = [os.path.basename(path) for path in os.environ.get("LD_PRELOAD", "").split(":")]
    return next((name for name in names if name in NAMES), None)


def files(patterns):
    """Each file once, whatever links lead to it."""
    real = {}
    for file in [file for pattern in patterns for file in sorted(glob.glob(pattern), reverse=True)]:
        real.setdefault(os.path.realpath(file), file)
    return list(real.values())


def runtime_libraries(path, prefix):
    """Of the wheels, of toolkits, and those that the loader finds by name."""
    if preloaded_runtime():
        return [preloaded_runtime()]
    patterns = [f"{place}/{wheel}" for place in path
                for wheel in ("nvidia/*/lib/libcudart.so.1[23]", "torch/lib/libcudart*.so.1[23]*")]
    return files([*patterns, f"{prefix}/lib/libcudart.so.1[23]", f"{TOOLKITS}/lib64/libcudart.so.1[23]"]) + list(NAMES)


def find_runtimes(python, path, prefix):
    """Those that work, each version of runtime and CUPTI once, and for the others the reason."""
    found, failed = {}, {}
    for library in runtime_libraries(path, prefix):
        told, why = json_answer([python, PROGRAMS / "probe_runtime.py", library])
        if told.get("runtime"):
            found.setdefault((told["runtime"], told["cupti"]), {"library": library, **told})
        else:
            failed[library] = why
    return list(found.values()), failed


def find_cupti_copies(python, path):
    """{"library", "version"} of each version once, without looking for a device."""
    if preloaded_runtime():
        return []
    patterns = [f"{place}/{wheel}" for place in path for wheel in PLACES_OF_CUPTI]
    found = {}
    for library in files([*patterns, f"{TOOLKITS}/extras/CUPTI/lib64/libcupti.so.1[23]"]):
        told, _ = json_answer([python, PROGRAMS / "probe_runtime.py", "--cupti", library])
        if told.get("cupti"):
            found.setdefault(told["cupti"], {"library": library, "version": told["cupti"]})
    return list(found.values())
