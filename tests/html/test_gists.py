"""What folded sections and the header say in a line, also of runs of which less is known."""

import subprocess

import pytest

from kineto_trace import Trace, imported


@pytest.fixture
def tab(opened):
    return opened("stall")[1]


def test_a_collective_of_unknown_size_is_not_said_to_be_empty(tab):
    assert tab.evaluate("(report.collectives = [{ op: 'all_to_all', size_bytes: null, ranks: 4 }], collectivesGist())") == \
        "longest exposed: all to all on 4 ranks, size not recorded"
    assert tab.evaluate("(report.collectives[0].size_bytes = 2048, collectivesGist())") == "longest exposed: all to all of 2 KiB on 4 ranks"


def test_each_straggler_has_its_own_cause(tab):
    found = ("[[17, 'slow_compute', 3e9], [5, 'host_stall', 2e6], [4, 'slow_compute', 1e9]].map(([rank, cause, blamed_ns]) => ({ rank, cause, blamed_ns }))")
    assert tab.evaluate(f"(report.stragglers.found = {found}, stragglersGist())") == \
        "ranks 17, 4: slow compute, others waited 4.000 s; rank 5: host stall, others waited 2.000 ms"


@pytest.fixture(scope="module")
def sparse_logs(tauprof, tmp_path_factory):
    """Steps that are a quarter of what was recorded, with a product that uses next to nothing of a known device."""
    trace = Trace(rank=0, world=1)
    trace.device_name = "NVIDIA A100-SXM4-80GB"
    for step in range(3):
        start = 40_000 * step
        trace.step(step, start, start + 9_900)
        trace.operator("aten::mm", start + 400, start + 520, [[64, 64], [64, 64]])
        trace.kernel(start + 500, start + 9_000, launch=(start + 410, start + 420))
        trace.kernel(start + 20_000, start + 30_000, name="vectorized_elementwise_kernel")
    return imported(tauprof, tmp_path_factory.mktemp("sparse"), [trace])


def test_the_header_has_the_shares_of_the_terminal(tauprof, browser, page_of, sparse_logs):
    text = subprocess.run([tauprof, "analyze", sparse_logs], check=True, capture_output=True, text=True, timeout=60).stdout
    [words] = [part.strip() for line in text.splitlines()[:2] for part in line.split(" · ") if "of the run in no step" in part]
    [used] = [part.strip() for line in text.splitlines()[:2] for part in line.split(" · ") if part.strip().startswith("HFU ")]
    tab = browser.open(f"file://{page_of(sparse_logs).path}")
    facts = tab.evaluate("[...document.querySelectorAll('#top .facts span')].map((one) => one.textContent)")
    assert words in facts and used in facts and used != "HFU 0.0 %"
    tab.close()


def test_a_filter_without_a_match_says_so(tab):
    say = "[...document.querySelectorAll('#timeline .no-rank')].map((one) => one.textContent)"
    assert tab.evaluate(say) == [""]
    tab.evaluate("rankOrder.filterBy('no-such-host')")
    assert tab.evaluate(say) == ["None of these 4 ranks matches."]
    tab.evaluate("rankOrder.filterBy('0')")
    assert tab.evaluate(say) == [""]


def test_a_page_without_a_verdict_has_no_link_to_one(tauprof, browser, page_of, data_folder, tmp_path):
    tiny = data_folder / "ops-synthetic" / "tiny"
    subprocess.run([tauprof, "import", "ops-csv", tiny, "-o", tmp_path / "logs"], check=True, capture_output=True, timeout=60)
    page = page_of(tmp_path / "logs")
    assert page.report.get("verdict") is None
    tab = browser.open(f"file://{page.path}")
    assert "Verdict and repairs" not in tab.evaluate("document.querySelector('#contents').textContent")
    tab.close()


@pytest.mark.parametrize("width", [800, 1400])
def test_a_link_leads_to_below_the_list_of_sections_which_covers_the_page(opened, width):
    _, tab = opened("stall", width=width, height=600)
    tab.open_all()
    for section in ("timeline", "collectives", "phases"):
        tab.click(f"#contents a[href='#{section}']")
        tab.wait_for(f"location.hash === '#{section}'")
        tab.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))")
        contents, heading = (tab.evaluate(f"(() => {{ const box = document.querySelector('{one}').getBoundingClientRect(); return [box.left, box.right, box.top, box.bottom]; }})()")
                             for one in ("#contents", f"#{section} h2"))
        assert contents[2] <= 8 and heading[2] >= contents[3], section
        assert contents[0] <= 0 and contents[1] >= width
