"""Where the parts of tauprof lie that the checks use: in an unpacked bundle, or in a build folder."""

from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
UNPACKED = ROOT / "product"  # only in a bundle
SCENARIOS = ROOT / "tests" / "pytorch"
LOG_READER = ROOT / "tests" / "capture"
SECOND_PLUGIN = "libnccl-profiler.so"  # the name that NCCL looks for
NATIVE = ("launches", "host_steps", "cupti_cost", "leaves_by_pthread_exit", "calls_at_load.so", "plugin1.so", "plugin2.so")
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


@dataclass(frozen=True)
class Pieces:
    tauprof: pathlib.Path
    library: pathlib.Path
    training: pathlib.Path  # the workload in CUDA C++; built only where there is nvcc
    second_plugin: pathlib.Path  # for NCCL; the same
    native: pathlib.Path  # the folder of compiled programs and libraries, NATIVE
    made_of: dict  # commit and date

    def missing(self):
        return [str(path) for path in (self.tauprof, self.library) if not path.exists()]


def of_build(build):
    build = pathlib.Path(build).resolve()
    return Pieces(build / "analyzer" / "cli" / "tauprof", build / "lib" / "libtauprof.so",
                  build / "tests" / "workloads" / "training",
                  build / "tests" / "doors" / "plugin5" / SECOND_PLUGIN, build / "tests" / "acceptance", {})


def of_bundle():
    made_of = json.loads((UNPACKED / "made_of.json").read_text(encoding="utf-8"))
    return Pieces(UNPACKED / "tauprof", UNPACKED / "libtauprof.so", UNPACKED / "training",
                  UNPACKED / "second" / SECOND_PLUGIN, UNPACKED / "native", made_of)
