"""Programs under a preloaded library that changes their clock, as libfaketime does. The devices keep theirs."""

import pytest

from faults import assert_same_outside, calls_of, fault, hostile, rounds_of
from recorded_run import program


@fault("The program's clock stands still, jumps, runs backwards or too fast (libfaketime)",
       loses="true times; calls that no hook sees")
@pytest.mark.parametrize("clock, way", [("stands", "return"), ("stands", "pthread_exit"), ("jumps", "return"),
                                        ("back", "return"), ("races", "return")])
def test_another_clock(recorder, clock, way):
    library = hostile("libother_clock.so")[0]
    command = hostile("last_moments", way)
    bare = recorder.run(command, preload=False, variables={"LD_PRELOAD": library, "OTHER_CLOCK": clock}, timeout=20)
    variables = {"LD_PRELOAD": f"{library}:{program('TAUPROF_PRELOAD')}", "OTHER_CLOCK": clock}
    run = recorder.run(command, preload=False, variables=variables, timeout=20)
    assert_same_outside(bare, run)
    assert run.status == 0
    assert calls_of(run.only_log(), "cudaMemsetAsync") == rounds_of(run)  # none twice, from its record an hour away
    assert run.check().returncode == 0, run.check().stdout
