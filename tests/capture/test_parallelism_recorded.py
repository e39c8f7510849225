"""How the ranks of the recorded training job share the work, and what sharded weights cost."""

import printed_tables
import pytest
from programs import program
from recorded_run import tauprof, training

JOBS = {
    "data": ("", 2, {"data": (1, 2)}),
    "tensor and data": ("--tensor 2", 4, {"tensor": (2, 2), "data": (2, 2)}),
    "sharded": ("--zero", 2, {"sharded": (1, 2)}),
    "experts": ("--experts --expert-imbalance 3", 2, {"expert": (1, 2), "data": (1, 2)}),
    "pipeline": ("--pipeline 2 --micro-batches 4 --stage-layers 2,2", 2, {"pipeline": (1, 2)}),
}


@pytest.mark.parametrize("name", JOBS)
def test_the_parallelism_is_named_and_replicas_are_folded(recorder, name):
    options, ranks, expected = JOBS[name]
    run = recorder.run(training(f"{options} --steps 4", ranks), options="devices=4")
    assert run.status == 0, run.errors
    report = run.report("--steps", "1:3")
    found = {of["kind"]: (of["groups"], of["ranks"]) for of in report["parallelism"] if of["kind"] != "other"}
    assert found == expected, report["parallelism"]
    for of in report["parallelism"]:
        assert of["exposed_ns_per_step"] <= of["span_ns_per_step"] and of["wait_ns_per_step"] <= of["span_ns_per_step"]
    if name == "sharded":
        check_sharding(report, run)
    printed_tables.check(program("TAUPROF_BIN"), run.logs, "--show", "all")


def check_sharding(report, run):
    [sharded] = [of for of in report["parallelism"] if of["kind"] == "sharded"]
    assert sharded["sharding"] == "weights_each_pass"
    balance = sharded["balance"]
    kept = balance["if_weights_were_kept"]
    assert balance["gathers_over_compute"] == pytest.approx(balance["gather_ns"] / balance["compute_ns"], rel=1e-6)
    assert 0 < kept["gone_ns"] < balance["gather_ns"] and kept["fits"] is True
    assert 0 <= kept["gone_exposed_ns"] <= kept["gone_ns"]
    # A forward pass gathers each weight once, half of it from the other rank; a backward pass about as much.
    gathered = sum(row["size_bytes"] * row["count"] for row in report["collectives"] if row["op"] == "all_gather")
    assert kept["more_bytes"] == pytest.approx(gathered / 2 / report["steps"]["count"] / 2, rel=0.02)
    text = tauprof("analyze", str(run.logs), "--show", "comm").stdout
    assert "sharded (ZeRO-3)" in text and "reshard_after_forward=False" in text
