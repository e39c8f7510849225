"""Reports of each kind: generated jobs, recorded traces, an operation trace."""

import os
import pathlib
import subprocess
import sys

import pytest
from programs import program
from recorded_traces import RECORDED

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = os.environ.get("TAUPROF_PYTHON_PACKAGE", str(ROOT / "build/release/python"))  # its folder, as built
sys.path.insert(0, PACKAGE)

# The options that make sections appear that a plain job lacks.
JOBS = {
    "plain": "--ranks 2 --steps 6",
    "straggler": "--ranks 4 --steps 8 --stall 2:2=30ms --stall 2:3=30ms --stall 2:4=30ms --stall 2:5=30ms",
    "pipeline": "--ranks 4 --pipeline 4 --steps 6 --micro-batches 4",
    "sweep": "--ranks 2 --steps 6 --sweep-bytes 1024 1048576 16777216 67108864",
    "all_to_all": "--ranks 4 --all-to-all --steps 5",
    "allocating": "--ranks 2 --steps 5 --allocation 1:2=3ms,1:3=3ms --stall 0:3=4ms",
    "loading": "--ranks 2 --steps 5 --data-wait 1:2=5ms,0:3=5ms",
    "one_rank": "--ranks 1 --steps 5",
    "no_marks": "--ranks 2 --steps 6 --marker none --no-phase-ranges",
}
TRACES = ("torchrec_sst2a", "torchrec_sst5qb", "param_dlrm_8rank", "hta_nccl_data_1of2")


@pytest.fixture(scope="session", autouse=True)
def tauprof_on_path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bin")
    (folder / "tauprof").symlink_to(program("TAUPROF_BIN"))
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    """The logs of a job or a trace by name, made once."""
    made = {}
    folder = tmp_path_factory.mktemp("logs")

    def of(name):
        if name not in made:
            if name in JOBS:
                command = [program("TAUPROF_GENERATE"), *JOBS[name].split(), "--out", folder / name]
            else:
                kind = ["kineto", RECORDED / name] if name in TRACES else ["ops-csv", RECORDED / "ops-synthetic" / "a"]
                command = ["tauprof", "import", *kind, "-o", folder / name]
            subprocess.run(command, check=True, capture_output=True)
            made[name] = folder / name
        return made[name]

    return of
