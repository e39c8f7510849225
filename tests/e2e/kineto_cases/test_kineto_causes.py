"""Why a rank is late, from traces of the PyTorch profiler: what its peers have as well is no cause."""

import pytest

from data_parallel_job import Job


def pause(length):
    return lambda rank: rank.pause(length)


def then(*actions):
    def all_of_them(rank):
        for action in actions:
            action(rank)
    return all_of_them


def busy(rank):
    for _ in range(2_000):
        rank.trace.event("cpu_op", "aten::item", rank.now, rank.now + 8, rank.thread)
        rank.pause(10)


DEFECTS = {
    "silent before the step": ("end", pause(20_000), "host_stall"),
    "silent in forward": ("forward", pause(20_000), "host_stall"),
    "silent before backward on its thread": ("backward", pause(20_000), "host_stall"),
    "silent before the all-reduce": ("reduction", pause(60_000), "host_stall"),
    "silent before the update": ("update", pause(60_000), "host_stall"),
    "busy between steps": ("end", busy, "host_launch"),
    "blocked until the device is done": ("forward", then(lambda rank: rank.synchronize(), pause(150)), "host_sync"),
    "blocked, then silent": ("forward", then(lambda rank: rank.synchronize(), pause(20_000)), "host_stall"),
    "blocked for longer than the device works": ("forward", lambda rank: rank.synchronize(20_000), "host_stall"),
    "a kernel more": ("forward", lambda rank: rank.compute(8_000, "mask_kernel"), "more_compute"),
    "a checkpoint": ("end", then(lambda rank: rank.copy(15_000, 1 << 30, "Memcpy DtoH (Device -> Pinned)"),
                                 lambda rank: rank.synchronize()), "host_sync"),
}


def causes(report, *job, **options):
    return {row["rank"]: row["cause"] for row in report(*Job(*job, **options).traces())["stragglers"]["found"]}


@pytest.mark.parametrize("steps", [2, 8])
@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_of_one_rank_in_every_step(report, defect, steps):
    place, action, cause = DEFECTS[defect]
    kernels = 2 if cause == "host_sync" else 10
    assert causes(report, {(2, None, place): action}, steps=steps, kernels=kernels) == {2: cause}


@pytest.mark.parametrize("defect", ["silent before the step", "a kernel more", "silent before the update"])
def test_what_all_ranks_have_is_no_cause(report, defect):
    place, action, _ = DEFECTS[defect]
    assert causes(report, {(rank, None, place): action for rank in range(4)}) == {}


def test_only_what_a_rank_has_beyond_its_peers_is_its_cause(report):
    stalls = {(rank, None, "end"): pause(20_000) for rank in range(4)}
    assert causes(report, {**stalls, (2, None, "forward"): lambda rank: rank.compute(8_000, "mask_kernel")}) == {
        2: "more_compute"}


@pytest.mark.parametrize("factor, cause", [(1.3, "slow_compute"), (1.05, "slow_compute"), (1.015, "unknown")])
def test_the_same_kernels_are_slow_from_two_percent_on(report, factor, cause):
    assert causes(report, {}, slow={1: factor}).get(1, "unknown") == cause
