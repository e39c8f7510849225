"""Latency and bandwidth of links, from generated jobs whose links have a known latency and bandwidth."""

import json
import subprocess

import pytest

LATENCY_US, BYTES_PER_US = 40, 100_000  # of every collective; of each link
SIZES = [1 << shift for shift in range(10, 31)]  # 1 KiB to 1 GiB
STEPS_OF_RING = {"all_reduce": lambda n: 2 * (n - 1), "all_gather": lambda n: n - 1, "reduce_scatter": lambda n: n - 1}

# The job's own exchanges are of one of the sizes, so that the sizes are those of the sweep.
COMMON = f"--steps 6 --layers 2 --jitter-permille 30 --link-latency {LATENCY_US}us " \
         f"--link-bytes-per-us {BYTES_PER_US}"


@pytest.fixture
def links_of(tauprof, tauprof_generate, tmp_path):
    def report(options, *, sizes=SIZES, layer_bytes=1 << 23):
        swept = ["--sweep-bytes", ",".join(map(str, sizes))] if sizes else []
        logs = str(tmp_path / "logs")
        subprocess.run([tauprof_generate, *COMMON.split(), *options.split(), *swept, "--layer-bytes", str(layer_bytes), "--out", logs], check=True)
        done = subprocess.run([tauprof, "analyze", logs, "--show", "all", "--json", str(tmp_path / "report.json")], capture_output=True,
                              text=True, check=True)
        return json.loads((tmp_path / "report.json").read_text())["alpha_beta"], done.stdout

    return report


def assert_true_line(row, ranks):
    steps = STEPS_OF_RING[row["op"]](ranks)
    assert (row["ranks"], row["steps"], row["identifiable"]) == (ranks, steps, True)
    assert row["alpha_us"] == pytest.approx(LATENCY_US / steps, rel=0.05)
    assert row["beta_gb_per_s"] == pytest.approx(BYTES_PER_US / 1000, rel=0.05)
    assert row["r2"] >= 0.97
    assert row["mean_rel_error"] <= row["max_rel_error"] < 0.06
    assert (row["sizes"], row["from_bytes"], row["to_bytes"]) == (len(SIZES), SIZES[0], SIZES[-1])


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("options", [
    "--ranks 4",
    "--ranks 2",
    "--ranks 4 --slow-rank 2=1.3 --stall 1:2=20ms",  # waiting is no transfer
    "--ranks 4 --hosts 4 --clock-offset 1=5s,2=-3s --clock-drift 3=40",  # nor does any clock count
])
def test_the_latency_and_bandwidth_are_the_links(links_of, options, seed):
    [row], text = links_of(f"{options} --seed {seed}")
    assert_true_line(row, int(options.split()[1]))
    assert row["algorithm"] is None and row["algorithm_evidence"] is None
    assert row["hosts"] == (4 if "--hosts" in options else 1)
    assert "LATENCY AND BANDWIDTH" in text and f"{row['alpha_us']:.2f} us" in text


def test_each_operation_has_a_line(links_of):
    rows, _ = links_of("--ranks 4 --sharded")
    assert [row["op"] for row in rows] == ["all_gather", "reduce_scatter"]
    for row in rows:
        assert_true_line(row, 4)


def test_a_recorded_algorithm_says_how_many_steps_the_latency_has(links_of):
    [row], text = links_of("--ranks 4 --algorithm Tree")
    assert (row["algorithm"], row["algorithm_evidence"], row["steps"]) == ("tree", "recorded", 4)
    assert row["alpha_us"] == pytest.approx(LATENCY_US / 4, rel=0.05)
    assert " tree " in text


@pytest.mark.parametrize("sizes,because,words", [
    ([], "one_size", "16.00 MiB only"),
    ([1 << 21, 1 << 22], "few_sizes", "fewer than 4 sizes"),
    ([(16 << 20) + (i << 20) for i in range(1, 8)], "narrow_sizes", "largest size is under 8 x the smallest"),
])
def test_sizes_that_do_not_spread_tell_nothing(links_of, sizes, because, words):
    [row], text = links_of("--ranks 4", sizes=sizes)
    assert not row["identifiable"] and row["not_identifiable_because"] == because
    assert [row[key] for key in ("alpha_us", "beta_gb_per_s", "r2", "mean_rel_error", "max_rel_error")] == [None] * 5
    assert row["sizes"] == len(sizes) + 1
    assert words in text


def test_small_transfers_tell_the_latency_and_not_the_bandwidth(links_of):
    [row], text = links_of("--ranks 4", sizes=[64 << shift for shift in range(8)], layer_bytes=64)
    assert row["not_identifiable_because"] == "beta_in_noise" and not row["identifiable"]
    assert row["alpha_us"] == pytest.approx(LATENCY_US / 6, rel=0.05) and row["beta_gb_per_s"] is None
    assert "beta -: not identifiable" in text


def test_large_transfers_tell_the_bandwidth_and_not_the_latency(links_of):
    [row], _ = links_of("--ranks 4", sizes=[(64 << 20) << shift for shift in range(6)], layer_bytes=32 << 20)
    assert row["not_identifiable_because"] == "alpha_in_noise" and not row["identifiable"]
    assert row["alpha_us"] is None and row["beta_gb_per_s"] == pytest.approx(BYTES_PER_US / 1000, rel=0.05)


def test_a_missing_rank_leaves_nothing_to_fit(links_of):
    rows, text = links_of("--ranks 4 --missing 3")
    assert rows == [] and "LATENCY AND BANDWIDTH" not in text
