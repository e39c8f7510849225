"""Programs under a preloaded library that changes their clock, as libfaketime does. The devices keep theirs."""

import pytest

from faults import assert_same_outside, calls_of, fault, hostile, rounds_of
from recorded_run import program


@fault("The program's clock stops, jumps, runs backwards or too fast (libfaketime)",
       loses="true times; calls that no hook sees")
@pytest.mark.parametrize("clock, way", [("stands", "return"), ("stands", "pthread_exit"), ("jumps", "return"),
                                        ("back", "return"), ("races", "return")])
def test_another_clock(recorder, clock, way):
    library = hostile("libother_clock.so")[0]
    command = hostile("last_moments", way)
    # With threads of the driver's own, no process ends by pthread_exit.
    variables = {"OTHER_CLOCK": clock, "SIMGPU_OPTIONS": "driver_threads=0"}
    if way == "pthread_exit":
        variables["TAUPROF_DEVICE_TIMING"] = "events"  # nor with CUPTI's
    bare = recorder.run(command, preload=False, variables={**variables, "LD_PRELOAD": library}, timeout=20)
    both = f"{library}:{program('TAUPROF_PRELOAD')}"
    run = recorder.run(command, preload=False, variables={**variables, "LD_PRELOAD": both}, timeout=20)
    assert_same_outside(bare, run)
    assert run.status == 0
    assert calls_of(run.only_log(), "cudaMemsetAsync") == rounds_of(run)  # none twice, from its record an hour away
    assert run.check().returncode == 0, run.check().stdout
