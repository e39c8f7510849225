"""A folder as the documents' readers have it, with recordings under the names that the documents use."""

import os
import pathlib
import re
import shutil
import subprocess

from documented import ROOT
from nsys_database import from_trace
from recorded_traces import RECORDED
from stand_ins import ANSWERS, STAND_INS

RUN = "8 --steps 64 --slow-rank 2=1.4"
CHANGED = "4 --steps 24 --slow-link 3=1.5 --stall 1:*=2ms"
SAME = "4 --steps 24"
# name: ranks and other options of tauprof-generate. The first of a group is a run of its own; --seed tells runs apart.
GENERATED = {
    "logs": RUN, "new": CHANGED, "old": SAME,
    "new-1": CHANGED, "new-2": CHANGED + " --seed 2", "new-3": CHANGED + " --seed 3",
    "old-1": SAME + " --seed 4", "old-2": SAME + " --seed 5", "old-3": SAME + " --seed 6",
}
COPIES = {"tauprof-logs": "logs", "tauprof-demo": "logs", "new-logs": "new", "build/demo/logs": "logs",
          "local/logs": "logs"}
HOSTS = ("from-a", "from-b"), ("from-host-a", "from-host-b")


def generate_all(generate, folder):
    for name, options in GENERATED.items():
        subprocess.run([generate, "--out", folder / name, "--ranks", *options.split()], check=True, capture_output=True)
    for name, original in COPIES.items():
        shutil.copytree(folder / original, folder / name)
    for first, second in HOSTS:
        for number, log in enumerate(sorted((folder / "logs").iterdir())):
            target = folder / (second if number % 2 else first)
            target.mkdir(exist_ok=True)
            shutil.copy(log, target)


def copy_recorded(folder):
    shutil.copytree(RECORDED / "torchrec_sst2a", folder / "traces")
    shutil.copytree(RECORDED / "ops-synthetic" / "tiny", folder / "job")
    (folder / "reports").mkdir()
    for rank, trace in enumerate(sorted((folder / "traces").glob("*.json.gz"))):
        from_trace(trace, folder / "reports" / f"report-rank{rank}.sqlite", pid=100 + rank)


class Reader:
    def __init__(self, folder, tauprof, place):
        """A copy of `place` in `folder`, in which commands are run one after the other."""
        self.folder = folder
        shutil.copytree(place, folder, dirs_exist_ok=True)
        (folder / "tests").symlink_to(ROOT / "tests")
        (folder / "shared").mkdir()
        (folder / "bin").mkdir()
        (folder / "bin" / "tauprof").symlink_to(tauprof)
        (folder / "bin" / "on_simulated_gpus").symlink_to(os.environ["TAUPROF_WITH_SIMGPU"])
        self.environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
                            "PYTHONPATH": os.environ["TAUPROF_PYTHON_PACKAGE"]}

    def fault_of(self, text):
        """None, or why the command failed."""
        for said, run_instead in STAND_INS:
            text = re.sub(said, run_instead, text)
        done = subprocess.run(["bash", "-o", "pipefail", "-c", text], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=60)
        allowed = {0, *(status for said, status in ANSWERS.items() if re.search(said, text))}
        if done.returncode in allowed:
            return None
        return f"exit status {done.returncode} of {text}\n{(done.stderr or done.stdout)[-500:]}"
