"""Messages between the stages of a recorded pipeline: who waits for whom, and which stage limits the speed."""

import pytest
from recorded_run import Recorder, training

MICRO_BATCHES, STEPS = 4, 6
LAYERS = {"equal": "2,2,2,2", "a long stage": "1,1,5,1", "two": "4,4", "waiting for messages": "2,2,2,2"}


@pytest.fixture(scope="module", params=LAYERS)
def pipeline(request, tmp_path_factory):
    layers = LAYERS[request.param]
    stages = len(layers.split(","))
    run = Recorder(tmp_path_factory.mktemp("pipeline")).run(
        training(f"--pipeline {stages} --micro-batches {MICRO_BATCHES} --layers 8 --steps {STEPS} "
                 f"--stage-layers {layers} {'--wait-for-messages' if 'waiting' in request.param else ''}", stages),
        options="devices=4")
    assert run.status == 0, run.errors
    return request.param, run.report("--steps", "1:5")


def test_each_micro_batch_passes_through_all_stages_and_back(pipeline):
    which, report = pipeline
    stages = len(LAYERS[which].split(","))
    counts = {(row["source"], row["destination"]): row["count"] for row in report["messages"]["channels"]}
    steps = report["steps"]["count"]
    ways = {(stage, stage + 1) for stage in range(stages - 1)}
    assert counts.keys() == ways | {(after, before) for before, after in ways}
    # One side of a message may be in the previous or next step.
    assert all(abs(count - MICRO_BATCHES * steps) <= MICRO_BATCHES for count in counts.values())
    # Two neighbours that exchange activations and gradients in one group do not make an all-to-all.
    assert "all_to_all" not in {row["op"] for row in report["collectives"]}


def test_the_chain_of_pipeline_stages_is_found(pipeline):
    which, report = pipeline
    stages = len(LAYERS[which].split(","))
    [chain] = report["messages"]["pipelines"]
    assert [stage["rank"] for stage in chain["stages"]] == list(range(stages))
    assert chain["ideal_bubble"] == pytest.approx((stages - 1) / (MICRO_BATCHES + stages - 1), rel=0.2)
    assert chain["stages"][0]["wait_previous_ns"] == 0 and chain["stages"][-1]["wait_next_ns"] == 0
    if which == "a long stage":
        assert chain["critical_rank"] == 2 and chain["imbalance"] > 1.5
        # The long stage waits least, because the others wait for it.
        assert min(range(stages), key=lambda stage: chain["stages"][stage]["bubble"]) == 2


def test_sums_by_communicator_phase_and_rank_agree(pipeline):
    _, report = pipeline
    communication = report["communication"]
    for rows in (communication["by_comm"], communication["by_phase"], communication["by_rank"]):
        for name in ("count", "span_ns", "wait_ns", "transfer_ns", "unsplit_ns", "exposed_ns", "exposed_wait_ns"):
            assert sum(row[name] for row in rows) == communication["total"][name]
    total = communication["total"]
    assert total["wait_ns"] + total["transfer_ns"] + total["unsplit_ns"] == total["span_ns"]
