"""Every function of NVIDIA's headers is in a hook table, or in not_hooked.txt with the reason why not: of those that are
installed, and in the long tier of several versions, from wheels on PyPI."""

import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

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
    return None if text is None else set(re.findall(rf"\b({start}\w+) *\((?! *\*)", text))


PLACES = include_folders()

# Requirement, and the headers of LIBRARIES that its wheel has. Their sizes: about 1 to 3 MB, NCCL's 200 to 300.
WHEELS = {
    "nvidia-cuda-runtime-cu12==12.0.146": ("cuda_runtime_api.h", "cuda.h"),
    "nvidia-cuda-runtime-cu12==12.4.127": ("cuda_runtime_api.h", "cuda.h"),
    "nvidia-cuda-runtime-cu12==12.8.90": ("cuda_runtime_api.h", "cuda.h"),
    "nvidia-cuda-runtime==13.0.96": ("cuda_runtime_api.h", "cuda.h"),
    "nvidia-cuda-runtime==13.5.37": ("cuda_runtime_api.h", "cuda.h"),
    "nvidia-nccl-cu12==2.18.3": ("nccl.h",),
    "nvidia-nccl-cu12==2.27.7": ("nccl.h",),
    "nvidia-nccl-cu13==2.32.3": ("nccl.h",),
}


def headers_of_wheel(requirement):
    """The folder with the headers of a wheel, kept in build/headers; None if it cannot be had."""
    kept = ROOT / "build" / "headers" / requirement.replace("==", "-")
    if kept.exists():
        return kept
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, requirement]
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None
        [wheel] = pathlib.Path(folder).glob("*.whl")
        made = pathlib.Path(tempfile.mkdtemp(dir=folder))
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if match := re.fullmatch(r"nvidia/[^/]+/include/(.+\.h(?:pp)?)", name):
                    (made / match[1]).parent.mkdir(parents=True, exist_ok=True)
                    (made / match[1]).write_bytes(archive.read(name))
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, kept)
    return kept


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("library", "header", "start"), LIBRARIES, ids=[row[1] for row in LIBRARIES])
def test_every_function_is_hooked_or_has_a_reason(place, library, header, start):
    declared = declared_names(header, start, PLACES[place])
    if declared is None:
        pytest.skip(f"{header} is not among the headers of {place}")
    assert_all_are_known(declared, library)


@pytest.mark.full
@pytest.mark.parametrize("requirement", WHEELS)
def test_every_function_of_other_versions_is_hooked_or_has_a_reason(requirement):
    headers = headers_of_wheel(requirement)
    if headers is None:
        pytest.skip(f"pip cannot get {requirement}")
    for library, header, start in LIBRARIES:
        if header not in WHEELS[requirement]:
            continue
        assert (headers / header).exists()
        # A header that a wheel leaves to others (crt/host_defines.h) comes from the build.
        assert_all_are_known(declared_names(header, start, [headers, *PLACES["build"]]), library)


def assert_all_are_known(declared, library):
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
