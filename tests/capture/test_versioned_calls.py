"""Calls whose arguments differ between CUDA 12 and 13 do the same under the recorder, which reads them by their version."""

import pytest

from recorded_run import fault_program


@pytest.mark.parametrize("timing", ["auto", "events"])
@pytest.mark.parametrize("program", ["versioned_calls", "versioned_calls_12"])
def test_calls_of_both_versions_are_recorded_with_their_stream(recorder, program, timing):
    run = recorder.run([fault_program(program)], variables={"TAUPROF_DEVICE_TIMING": timing})
    assert run.what_the_user_sees() == (0, "", "")
    log = run.only_log()
    rows = {row["function"]: row for row in log.rows["call"]}
    assert rows["cudaMemPrefetchAsync"]["bytes"] == 1 << 20
    assert rows["cudaMemcpyBatchAsync"]["bytes"] == 4096 + 8192
    stream = rows["cudaStreamSynchronize"]["stream"]
    assert stream != 0
    assert rows["cudaMemPrefetchAsync"]["stream"] == rows["cudaMemcpyBatchAsync"]["stream"] == stream
    if timing == "auto":
        assert run.faults() == ""
