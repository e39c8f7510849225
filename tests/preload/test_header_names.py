"""Every function of the installed headers is in a hook table, or in not_hooked.txt with the reason why not."""

import fnmatch
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOOKS = ROOT / "preload" / "hooks"
# The library of not_hooked.txt, its header, and how its functions' names start.
LIBRARIES = (
    ("cudart", "cuda_runtime_api.h", "cuda(?=[A-Z])"),
    ("cuda", "cuda.h", "cu(?=[A-Z])"),
    ("cublas", "cublas_v2.h", "cublas(?=[A-Z])(?!Lt)"),
    ("cublas", "cublas.h", "cublas(?=[A-Z])(?!Lt)"),
    ("cublasLt", "cublasLt.h", "cublasLt(?=[A-Z])"),
    ("cudnn", "cudnn.h", "cudnn(?=[A-Z])"),
    ("nccl", "nccl.h", "nccl(?=[A-Z])"),
)


def preprocessed(text, folders):
    command = ["g++", "-std=c++20", "-E", "-P", "-x", "c++", *(f"-I{folder}" for folder in folders), "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def hooked_names():
    text = '#define TAUPROF_HOOK(name, declared, ...) HOOK:name:\n#include "hooks/hook_tables.h"\n'
    return set(re.findall(r"HOOK:(\w+):", preprocessed(text, [ROOT / "preload"])))


def reasons():
    """{library: {pattern: reason}}"""
    found, library, reason = {}, None, None
    for line in (HOOKS / "not_hooked.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("  "):
            found.setdefault(library, {}).update((pattern, reason) for pattern in line.split())
        else:
            library, reason = (part.strip() for part in line.split(":", 1))
    return found


def include_folders():
    """{where the headers come from: folders}: those of the build, and those of the wheels for PyTorch that are here."""
    found = {"build": [folder for folder in os.environ.get("TAUPROF_CUDA_INCLUDES", "").split(":") if folder]}
    for wheels in sorted((ROOT / "build" / "pytorch").glob("*/lib/python3*/site-packages/nvidia")):
        found[wheels.parents[3].name] = [str(folder) for folder in sorted(wheels.glob("*/include"))]
    return {place: folders for place, folders in found.items() if folders}


def declared_names(header, start, folders):
    text = preprocessed(f"#include <{header}>\n", folders)
    return None if text is None else set(re.findall(rf"\b({start}\w+) *\(", text))


PLACES = include_folders()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("library", "header", "start"), LIBRARIES, ids=[row[1] for row in LIBRARIES])
def test_every_function_is_hooked_or_has_a_reason(place, library, header, start):
    declared = declared_names(header, start, PLACES[place])
    if declared is None:
        pytest.skip(f"{header} is not among the headers of {place}")
    assert len(declared) > 20, "the header's functions are not recognized"
    patterns = reasons()[library]
    unknown = sorted(name for name in declared - hooked_names()
                     if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns))
    assert unknown == [], "give each a row in a table, or a reason in preload/hooks/not_hooked.txt"


def test_a_function_that_no_table_knows_is_found(tmp_path):
    (tmp_path / "nccl.h").write_text("int ncclAllReduce(int); int ncclConquerWorld (void); int ncclGetVersion(int*);\n")
    declared = declared_names("nccl.h", "nccl(?=[A-Z])", [tmp_path])
    patterns = reasons()["nccl"]
    unknown = {name for name in declared - hooked_names()
               if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)}
    assert unknown == {"ncclConquerWorld"}


def test_no_reason_is_given_for_what_is_hooked():
    """A pattern may cover hooked names beside others, but not them alone."""
    hooked = hooked_names()
    for library, patterns in reasons().items():
        for pattern in patterns:
            assert pattern not in hooked, f"{library}: {pattern} has a row in a table"
