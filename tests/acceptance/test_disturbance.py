"""How the checks of the host's disturbance judge blocks, and that they find a simulated disturbance."""

import time

import pytest

from checks import disturbance
from test_judgements import Noted

MS = 1_000_000


def program(lengths_ms):
    """The starts of steps of these lengths, one after the other, on both clocks: all of it is CPU time."""
    starts = [(0, 0)]
    for length in lengths_ms:
        starts.append((starts[-1][0] + int(length * MS),) * 2)
    return starts


def toggled(slow_after_off=0):
    """Blocks of 20 full steps of 3 ms and 20 light ones of 2 ms, between which 2 are switched in; the first light ones
    keep the old speed."""
    lengths, rows, at = [], [], 0
    for _ in range(4):
        for state, count, length in [("taken", 20, 3), ("switching", 2, 4), ("off", 20, 2), ("switching", 2, 3)]:
            rows.append({"time": at, "state": state, "step": len(lengths)})
            slow = slow_after_off if state == "off" else 0
            lengths += [3] * slow + [length] * (count - slow)
            at = program(lengths)[-1][0]
    return rows, program(lengths)


def test_blocks_are_told_apart_and_compared():
    noted = Noted()
    disturbance.judge_blocks(noted, "a loop", disturbance.blocks_of(*toggled()))
    seen = noted.evidence["a loop"]
    assert noted.wrong == []
    assert (seen["full_ms"], seen["light_ms"], seen["slowdown"], seen["slowdown_of_cpu_time"]) == (3, 2, 0.5, 0.5)
    assert max(seen["steps_while_switching_ms"]) == 4
    assert seen["settles_ms"]["light"] == [0, 0, 0, 0]


def test_a_speed_that_lasts_is_seen():
    noted = Noted()
    disturbance.judge_blocks(noted, "a loop", disturbance.blocks_of(*toggled(slow_after_off=6)))
    assert noted.evidence["a loop"]["settles_ms"]["light"] == [4 * 3] * 4  # when most of five steps are fast


def test_a_run_without_light_blocks_is_no_measurement():
    rows, starts = toggled()
    noted = Noted()
    disturbance.judge_blocks(noted, "a loop", disturbance.blocks_of([rows[0]], starts))
    assert noted.wrong == ["a loop: there are full and light blocks (0, 0)"]


def test_kinds_are_compared_with_the_block_before():
    lines = ["warm-up 10 9 9 9 9 0 0 0 0 0"]
    for launch in (1000, 1200, 1100):
        lines += [f"none 100 {launch} 500 {launch} 510 1 2 3 4 -1",
                  f"kernels 100 {launch + 700} 750 1900 800 1 2 8 4 -1"]
    noted = Noted()
    disturbance.judge_cost(noted, "as it comes", "\n".join(lines + ["none 100 1000 500 1000 500 0 0 0 0 0"]))
    seen = noted.evidence["as it comes"]["kernels"]
    assert (seen["pairs"], seen["ns_a_launch"], seen["host_factor"]) == (3, 700, 1.5)
    assert seen["more_in_1000_launches"]["faults"] == 50
    assert noted.wrong == []


def slowdown_of(machine, bundle, options):
    done = machine.start(bundle, "--only", "toggle", "--seconds", "1.2", SIMGPU_OPTIONS=f"jitter=0,{options}")
    done.communicate(timeout=200)
    outcome = machine.outcomes()["toggle"]
    assert (outcome["outcome"], outcome["why"]) == ("measured", [])
    return outcome["evidence"]["a loop in C"]["slowdown_of_cpu_time"]  # other processes cost none


@pytest.mark.full
def test_the_factor_of_a_simulated_cupti_is_found(machine, bundle):
    """Beside what the simulated CUPTI itself takes."""
    own = slowdown_of(machine, bundle, "cupti_disturbs=0")
    both = slowdown_of(machine, bundle, "cupti_disturbs=1,cupti_factor=2:2,cupti_launch_ns=0")
    assert 1.6 < (1 + both) / (1 + own) < 2.4


@pytest.mark.full
def test_what_a_launch_costs_more_is_found(machine, bundle):
    done = machine.start(bundle, "--only", "cupti-cost", "--seconds", "0.4",
                         SIMGPU_OPTIONS="cupti_disturbs=1,cupti_factor=1:1,cupti_launch_ns=200000")
    done.communicate(timeout=200)
    outcome = machine.outcomes()["cupti-cost"]
    assert (outcome["outcome"], outcome["why"]) == ("measured", [])
    assert 150_000 < outcome["evidence"]["as it comes"]["kernels"]["ns_a_launch"] < 400_000


def test_a_check_that_is_stopped_has_said_what_it_saw(machine, bundle):
    done = machine.start(bundle, "--only", "cupti-cost", "--seconds", "0.3")
    end = time.monotonic() + 100
    while not any("ns a launch" in file.read_text(encoding="utf-8") for file in machine.temporary.rglob("messages0")):
        assert time.monotonic() < end and done.poll() is None
        time.sleep(0.05)
    done.terminate()
    done.communicate(timeout=60)
    [outcome] = machine.told()["checks"]
    assert (outcome["outcome"], "ns a launch" in outcome["output"]) == ("lacked", True)
