"""A library whose initialiser makes calls on other threads and waits for them: the thread that opens it holds the
loader's lock meanwhile, for which a hook must not wait."""

import pytest

from faults import calls_of, fault, hostile
from idle_runs import assert_nothing_is_lost, run_idle_both

CALLS = {"thread": 10, "async": 10, "pool": 80, "nested": 10, "generated": 10, "ranges": 100}


@fault("An initialiser of a library makes calls on threads of its own, and waits for them", loses="nothing")
@pytest.mark.parametrize("before", ["used", "unused"])
@pytest.mark.parametrize("way", CALLS)
def test_an_initialiser_may_wait_for_calls(recorder, way, before):
    _, run = run_idle_both(recorder, hostile("opens_library", before) + hostile(f"warms_up_{way}.so"), timeout=15)
    assert run.output.splitlines()[0] == "0 calls failed"
    assert_nothing_is_lost(run, CALLS[way] + (200 if before == "used" else 100))


@fault("An initialiser of a library makes calls on threads of its own, and waits for them", loses="nothing")
@pytest.mark.parametrize("before", ["used", "unused"])
@pytest.mark.parametrize("way", ["thread", "gemms"])
def test_an_initialiser_may_wait_for_a_device(recorder, way, before):
    command = hostile("opens_library", before) + hostile(f"warms_up_{way}.so")
    _, run = run_idle_both(recorder, command, simulation=True, timeout=15)
    log = run.only_log()
    assert calls_of(log, "cudaMemsetAsync") == (200 if before == "used" else 100) + (10 if way == "thread" else 0)
    assert len(log.rows["gemm"]) == (10 if way == "gemms" else 0)
