"""The operations of a recorded training job are those that the program itself counted."""

import re

import pytest

from recorded_run import fault_program, training

COUNTED = re.compile(r"^flops of rank (\d+) in step (\d+): (\d+)$", re.MULTILINE)
H200_BF16 = 989.5e12  # dense, by its data sheet
H200_MEMORY = 4.8e12  # bytes per second, likewise


def counted_by_the_program(run):
    """Operations of all ranks, by step."""
    by_step = {}
    for _, step, flops in COUNTED.findall(run.output):
        by_step[int(step)] = by_step.get(int(step), 0) + int(flops)
    return by_step


@pytest.mark.parametrize("ranks,options", [
    (1, ""), (1, "--gemm cublas"), (1, "--gemm cublaslt --micro-batches 2"), (2, "--tensor 2"), (2, "--pipeline 2"),
    (2, "--zero"), (2, "--experts"), (2, "--slow-rank 1:20")])
def test_hfu_is_that_of_the_programs_own_count(recorder, ranks, options):
    run = recorder.run(training(f"--steps 5 --nvtx --flops {options}", ranks))
    assert run.status == 0, run.errors
    counted = counted_by_the_program(run)
    assert len(counted) == 5
    report = run.report()
    efficiency = report["efficiency"]
    assert report["steps"]["count"] == 5
    assert efficiency["executed_flops"] == pytest.approx(sum(counted.values()) / 5, rel=1e-9)
    assert list(efficiency["executed_by_precision"]) == ["bf16"]
    assert not efficiency["is_lower_bound"]
    assert efficiency["peak_flops"] == pytest.approx(H200_BF16)
    seconds = report["ledger"]["step_ns"] / 1e9
    assert efficiency["hfu"] == pytest.approx(sum(counted.values()) / (seconds * H200_BF16), rel=1e-9)
    shares = [row["share"] for row in efficiency["waterfall"]]
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    assert min(shares) >= 0


def bound_of(row, computing_ns, moving_ns, latency_ns):
    """Its bound, and for which part of its time."""
    least = {"compute": computing_ns, "memory": moving_ns, "latency": latency_ns}
    bound = max(least, key=least.get)
    share = pytest.approx(least[bound] / row["total_ns"], rel=1e-3)  # the report's mean times are whole nanoseconds
    return {"bound": bound, "share_of_bound": share}


def test_each_product_and_each_copy_is_said_to_be_bound_by_what_takes_longest_at_least(recorder):
    report = recorder.run(training("--steps 5 --nvtx")).report()
    shortest = min(row["mean_ns"] for row in report["kernels"] if row["class"] == "compute")
    products, bounds = report["efficiency"]["gemms"], set()
    for row in products:
        assert row["bytes"] == 2 * row["batch"] * (row["m"] * row["k"] + row["k"] * row["n"] + row["m"] * row["n"])
        count = row["count"]
        expected = bound_of(row, 1e9 * row["flops"] * count / H200_BF16, 1e9 * row["bytes"] * count / H200_MEMORY,
                            shortest * count)
        assert {key: row[key] for key in expected} == expected
        bounds.add(row["bound"])
    assert len(bounds) > 1, "the job has products of several kinds"
    memset = next(row for row in report["kernels"] if row["name"] == "Memset")
    assert memset["bytes"] > 0 and memset["bound"] in ("memory", "latency")
    from_host = next(row for row in report["kernels"] if row["name"].startswith("Memcpy HtoD"))
    assert from_host["bytes"] > 0 and from_host["bound"] is None
    assert sum(row["flops"] or 0 for row in report["kernels"]) == pytest.approx(
        sum(row["flops"] * row["count"] for row in products))


def test_products_are_held_against_their_neighbour(recorder):
    products = recorder.run(training("--steps 5 --nvtx")).report()["efficiency"]["gemms"]
    assert any(row["at_neighbour_ns"] is not None and row["at_neighbour_ns"] < row["total_ns"] for row in products)
    assert all(row["at_neighbour_ns"] is None or row["at_neighbour_ns"] <= row["total_ns"] for row in products)
    assert {row["in_tf32_ns"] for row in products} == {None}, "none is of float32"


def test_mfu_is_of_the_whole_job(recorder):
    run = recorder.run(training("--steps 3 --nvtx --flops", 2))
    model = sum(counted_by_the_program(run).values()) / 3
    efficiency = run.report("--model-flops", str(model / 2))["efficiency"]
    assert efficiency["mfu"] == pytest.approx(efficiency["hfu"] / 2, rel=1e-6)


def test_groups_of_several_shapes_tf32_and_int8_are_counted(recorder):
    run = recorder.run([fault_program("multiplications")])
    assert run.what_the_user_sees() == (0, "", "")
    assert run.faults() == ""
    rows = run.only_log().rows["gemm"]
    shapes = [(row["function"], row["m"], row["n"], row["k"], row["batch"], row["products"]) for row in rows]
    assert shapes == [
        ("cublasSgemm_v2", 64, 32, 16, 1, 0),
        ("cublasSgemm_v2", 64, 32, 16, 1, 0),
        ("cublasSgemmStridedBatched", 64, 32, 16, 4, 0),
        ("cublasSgemmGroupedBatched", 64, 32, 16, 5, 0),
        ("cublasSgemmGroupedBatched", 0, 0, 0, 5, 2 * 64 * 32 * 16 + 3 * 128 * 8 * 4),
        ("cublasGemmEx", 64, 32, 16, 1, 0),
    ]
    assert [row["type_compute"] for row in rows] == ["float32", "tf32", "float32", "float32", "float32", "int32"]
    efficiency = run.report()["efficiency"]
    product = 64 * 32 * 16
    total = {"int8": 2 * product, "tf32": 2 * product, "fp32": 2 * (product * (1 + 4 + 5 + 2) + 3 * 128 * 8 * 4)}
    assert {name: flops / sum(efficiency["executed_by_precision"].values())
            for name, flops in efficiency["executed_by_precision"].items()} == pytest.approx(
                {name: flops / sum(total.values()) for name, flops in total.items()})
