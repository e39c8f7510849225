"""The bundle that the tests of this folder run, and the empty folder with the nearly empty environment that it gets."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GPU_ACCEPTANCE = ROOT / "scripts" / "gpu-acceptance"
sys.path.insert(0, str(HERE))


def build_folder():
    if "TAUPROF_BIN" not in os.environ:
        pytest.skip("TAUPROF_BIN does not name the command to test")
    return pathlib.Path(os.environ["TAUPROF_BIN"]).parents[2]


def pack(build, path):
    subprocess.run([sys.executable, GPU_ACCEPTANCE, "--build", build, "--bundle", path], check=True,
                   stdout=subprocess.DEVNULL)
    return path


@pytest.fixture(scope="session")
def bundle(tmp_path_factory):
    return pack(build_folder(), tmp_path_factory.mktemp("bundle") / "tauprof-acceptance.run")


def write_program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


class Machine:
    """A machine with simulated GPUs and a Python that has nothing installed."""

    def __init__(self, folder):
        self.folder, self.temporary = folder / "work", folder / "tmp"
        self.result = self.folder / "result.json"
        self.python = folder / "python"
        for place in (self.folder, self.temporary):
            place.mkdir()
        self.tools = folder / "tools"
        self.tools.mkdir()
        write_program(self.python, f'exec {sys.executable} -S -s "$@"')

    def add_tool(self, name, text):
        write_program(self.tools / name, text)

    def start(self, bundle, *arguments, **variables):
        environment = {"PATH": f"{self.tools}:/usr/bin:/bin", "HOME": str(self.folder), "TMPDIR": str(self.temporary),
                       "SIMGPU_LIBRARY_DIR": os.environ["SIMGPU_LIBRARY_DIR"], **variables}
        costs = ROOT / "tests" / "workloads" / "costs.txt"
        command = [os.environ["TAUPROF_WITH_SIMGPU"], "--options", f"costs={costs},data_bytes=65536", "--", "bash",
                   bundle, "--python", self.python, "--out", self.result, "--rounds", "1", "--minutes", "0.02",
                   "--seconds", "0.4"]
        return subprocess.Popen([*map(str, command), *arguments], cwd=self.folder, env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, bundle, *checks, **variables):
        """The finished process with what it printed."""
        process = self.start(bundle, *(word for check in checks for word in ("--only", check)), **variables)
        process.output, process.errors = process.communicate(timeout=200)
        return process

    def told(self):
        return json.loads(self.result.read_text(encoding="utf-8"))

    def outcomes(self):
        return {check["check"]: check for check in self.told()["checks"]}

    def leftovers(self):
        return [path.name for path in self.temporary.iterdir()]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)
