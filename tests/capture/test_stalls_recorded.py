"""A host that pauses behind a synchronisation: the pause has its length and its price, whether the wait slept or spun."""

import pytest

from recorded_run import training

PAUSE_MS = 60


@pytest.mark.parametrize("how", ["asleep", "by spinning"])
def test_a_pause_behind_a_wait_is_priced(recorder, how):
    run = recorder.run(training(f"--layers 2 --steps 12 --sync-every-step --host-stall 0:{PAUSE_MS}"),
                       options="time_scale=30" + (",spin_waits=1" if how == "by spinning" else ""))
    assert run.status == 0, run.errors
    waits = [row for row in run.only_log().rows["call"] if row["function"] == "cudaDeviceSynchronize"]
    long = [row for row in waits if row["duration"] > 1_000_000]
    assert len(long) >= 10 and all(row["end_cpu_ns"] > 0 for row in long), "each has a reading of the CPU clock behind it"
    report = run.report("--steps", "2:10")
    steps = 9
    stalled = report["ledger"]["rows"]["idle_host_stall"] / steps
    assert stalled == pytest.approx(PAUSE_MS * 1e6, rel=0.2)
    [finding] = [finding for finding in report["findings"] if finding["id"] == "host-stall"]
    assert finding["saves_ns_per_step"] == pytest.approx(PAUSE_MS * 1e6, rel=0.1)
