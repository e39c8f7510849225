"""On an instance of a divided GPU (MIG), simulated: not seen on a GPU."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "capture"))

from recorded_log import read_log  # noqa: E402

PROGRAMS = pathlib.Path(os.environ["TAUPROF_PRELOAD_PROGRAMS"])


def test_the_log_describes_the_instance_and_has_the_clock_of_its_gpu(tmp_path):
    environment = {**os.environ, "TAUPROF_DIR": str(tmp_path), "TAUPROF_DEVICE_TIMING": "off",
                   "LD_PRELOAD": os.environ["TAUPROF_PRELOAD"], "LD_LIBRARY_PATH": str(PROGRAMS / "mig")}
    subprocess.run([PROGRAMS / "waits_a_second"], env=environment, check=True, timeout=60)
    [path] = tmp_path.glob("*.tauprof")
    log = read_log(os.environ["TAUPROF_BIN"], path)
    [device] = log.rows["device"]
    assert device["uuid"] == "MIG-10111213-1415-1617-1819-1a1b1c1d1e1f"
    assert device["sm_count"] == 16
    clocks = {row["value"] for row in log.rows["telemetry"] if row["metric"] == "sm_clock_mhz"}
    assert clocks == {1755}
