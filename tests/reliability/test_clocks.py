"""Programs under a preloaded library that changes their clock, as libfaketime does. The devices keep theirs."""

import pytest

from faults import assert_same_outside, calls_of, fault, hostile, rounds_of
from recorded_run import program


@fault("The program's clock stands still, jumps, runs backwards or too fast (libfaketime)",
       loses="true times; of a clock that jumps, calls may be in the log twice")
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
    calls = calls_of(run.only_log(), "cudaMemsetAsync")
    # Where the clock jumps, CUPTI's record of a call may be an hour away from the call, and then counts as another one.
    assert calls == rounds_of(run) if clock != "jumps" else rounds_of(run) <= calls <= 2 * rounds_of(run)
    assert run.check().returncode == 0, run.check().stdout
