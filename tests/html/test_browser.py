"""The page in a browser: it draws without complaint, shows the report's numbers, and moves where it is told to."""

import subprocess

import pytest

from hostile_trace import NAMES, hostile_traces
from kineto_trace import Trace, imported
from shown_jobs import JOBS
from shown_numbers import shown
from shown_place import place
from tiers import two_tiers

MEDIA = {"light": {"scheme": "light"}, "dark": {"scheme": "dark"}, "print": {"medium": "print"}}


@pytest.mark.parametrize(("job", "media"), two_tiers(
    [(job, media) for job in JOBS for media in ("light", "dark", "print")], lambda case: case == ("stall", "dark")))
def test_it_draws_without_complaint_and_without_network(opened, job, media):
    page, tab = opened(job, **MEDIA[media])
    tab.open_all()
    assert tab.evaluate("document.documentElement.dataset.ready") == "yes"
    assert tab.problems() == [] and set(tab.requests()) == {f"file://{page.path}"}


@pytest.mark.full
def test_64_ranks_of_100_steps_are_a_small_page_and_drawn_within_a_second(opened):
    opens = [opened("large") for _ in range(3)]
    page = opens[0][0]
    assert min(int(tab.evaluate("document.documentElement.dataset.drawnAfter")) for _, tab in opens) < 1000
    assert len(page.text) < 5_000_000 and len(page.report["per_rank"]) == 64 and page.report["steps"]["count"] == 100


@pytest.mark.parametrize("job", two_tiers(JOBS, lambda job: job == "pipeline"))
def test_the_numbers_are_those_of_the_report(opened, job):
    page, tab = opened(job)
    tab.open_all()
    numbers = tab.evaluate("""[...document.querySelectorAll("[data-path]")].map(
        (one) => [one.dataset.path, one.dataset.format, one.textContent])""")
    assert len(numbers) > 100
    for path, how, text in numbers:
        assert text == shown(page.report, path, how), path


@pytest.mark.parametrize("job, sections", [
    ("stall", ["timeline", "stragglers", "steps", "ledger", "efficiency", "parallelism", "collectives", "phases", "operators",
               "kernels", "recording"]),
    ("pipeline", ["timeline", "stragglers", "steps", "ledger", "efficiency", "parallelism", "collectives", "phases", "pipeline",
                  "operators", "kernels", "recording"])])
def test_a_section_without_data_is_left_out(opened, job, sections):
    _, tab = opened(job)
    assert [section for section in tab.evaluate("[...document.querySelectorAll('#sections > section')].map((one) => one.id)")
            if section not in ("memory", "telemetry", "input")] == sections


@pytest.mark.full
def test_clocks_by_step_are_drawn_where_they_were_read(opened):
    _, tab = opened("throttled")
    tab.open_all()
    assert "SM clock" in tab.evaluate("document.querySelector('#telemetry').textContent")


def test_memory_is_drawn_where_the_report_has_it(browser, page_of, logs_of, tmp_path):
    """The simulated jobs allocate nothing, so the report inside a page is given what a recorded one has."""
    page = page_of(logs_of("stall"))
    phases = {"forward": 3 << 30, "backward": 1 << 30, "other": 0}
    rank = {"rank": 0, "peak_bytes": 4 << 30, "is_lower_bound": False, "by_phase": phases, "growth_bytes_per_step": 1536,
            "is_growing": True, "allocations_per_step": 2.5, "frees_per_step": 0.0, "share_of_device": 0.05,
            "peak_reserved_bytes": None, "unused_share": None, "allocator_retries": None,
            "in_use": [{"step": step, "bytes": step << 28} for step in range(12)]}
    report = page.report | {"memory": {"peak_bytes": 4 << 30, "by_phase": phases, "ranks": [rank]}}
    changed = tmp_path / "memory.html"
    changed.write_text(page.with_report(report), encoding="utf-8")
    tab = browser.open(f"file://{changed}")
    tab.open_all()
    numbers = tab.evaluate("""[...document.querySelectorAll("#memory [data-path]")].map(
        (one) => [one.dataset.path, one.dataset.format, one.textContent])""")
    assert tab.problems() == [] and len(numbers) > 8
    for path, how, text in numbers:
        assert text == shown(report, path, how), path
    assert "grows" in tab.evaluate("document.querySelector('#memory').textContent")
    assert tab.evaluate("document.querySelectorAll('#memory canvas').length") == 1
    tab.close()


@pytest.mark.parametrize("name, has_steps, has_kernels", [("untimed", True, False), ("slices", False, True)])
def test_runs_without_steps_or_device_times_are_drawn_as_far_as_they_go(tauprof, browser, page_of, tmp_path, name, has_steps,
                                                                       has_kernels):
    trace = Trace(rank=0, world=1)
    for step in range(3):
        start = 1_500_000 * step
        if has_steps:
            trace.step(step, start, start + 1_400_000)
        trace.call("cudaLaunchKernel", start + 10, start + 20)
        if has_kernels:
            trace.kernel(start + 100, start + 1_200_000)
    page = page_of(imported(tauprof, tmp_path, [trace]))
    tab = browser.open(f"file://{page.path}")
    tab.open_all()
    sections = tab.evaluate("[...document.querySelectorAll('main section')].map((one) => one.id)")
    assert tab.problems() == [] and {"first", "steps", "recording"} <= set(sections)
    assert ("timeline" in sections) == has_kernels and "telemetry" not in sections
    assert page.report["steps"]["unit"] == ("step" if has_steps else "slice")
    tab.close()


def test_nothing_is_wider_than_the_page(opened):
    for width in (700, 1280):
        _, tab = opened("stall", width=width)
        tab.open_all()
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.full
def test_the_timeline_takes_the_width_of_the_window_and_text_does_not(opened):
    _, tab = opened("stall", width=1800)
    tab.open_all()
    wide, text = (tab.evaluate(f"document.querySelector('#{one}').clientWidth") for one in ("timeline", "steps"))
    assert wide > 1700 and text < 1250


def test_the_legend_of_the_timeline_names_what_it_shows_and_nothing_else(opened):
    page, tab = opened("pipeline")
    [names] = tab.evaluate("""[[...document.querySelectorAll("#timeline .legend > span")].map((one) => one.textContent)]""")
    [shown] = [step for step in page.timeline()["steps"] if "typical" in step["because"]]
    used = {kind for row in shown["rows"]["kinds"] for kind in row}
    titles = tab.evaluate("KINDS.map((kind) => kind[1])")
    assert 0 < len(used) < len(titles)
    assert names == [titles[kind] for kind in sorted(used)] + ["waiting inside of communication"]


def test_a_narrow_window_shows_all_columns_of_the_collectives(opened):
    _, tab = opened("stall", width=900)
    tab.open_all()
    widths = tab.evaluate("""[...document.querySelectorAll("#collectives .scroll")].map((one) => [one.scrollWidth, one.clientWidth])""")
    assert widths and all(needed <= there for needed, there in widths)


def test_a_heat_map_in_a_box_narrower_than_its_labels_waits_for_room(opened):
    _, tab = opened("stall")
    tab.open_all()
    tab.evaluate("document.querySelector('.heat').style.width = '20px'")
    tab.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))")
    assert tab.problems() == []


def test_one_step_is_one_number_and_no_chart(tauprof, browser, page_of, tmp_path):
    trace = Trace(rank=0, world=1)
    trace.step(0, 0, 1_400_000)
    trace.call("cudaLaunchKernel", 10, 20)
    trace.kernel(100, 1_200_000)
    page = page_of(imported(tauprof, tmp_path, [trace]))
    tab = browser.open(f"file://{page.path}")
    tab.open_all()
    assert page.report["steps"]["count"] == 1
    assert "1 step analysed" in tab.evaluate("document.querySelector('#steps').textContent")
    assert tab.evaluate("document.querySelectorAll('#steps .tile').length") == 1
    assert tab.evaluate("document.querySelectorAll('#steps canvas').length") == 0
    tab.close()


def test_the_verdict_comes_first_and_the_slow_step_is_marked(opened):
    page, tab = opened("stall")
    assert tab.evaluate("document.querySelector('main').textContent").find(page.report["verdict"]["title"]) in range(200)
    tab.open_all()
    assert "step 7" in tab.evaluate("document.querySelector('#steps').textContent")


def test_a_click_on_a_repair_moves_the_timeline_to_its_rank_and_step(opened):
    page, tab = opened("stall")
    [finding] = [at for at, one in enumerate(page.report["findings"]) if one["id"] == "straggler"]
    tab.evaluate("timeline.showStep(0)")
    assert place(tab)[3] is None
    tab.click(f"#repair-{finding} dd button")
    tab.wait_for("timeline.canvas.dataset.place.split(' ').length === 4 && timeline.markedRank !== undefined")
    step, start, length, rank = place(tab)
    assert rank == 2 and step in page.report["findings"][finding]["steps"] == [7]
    waits = [wait for one in page.timeline()["steps"] if one["step"] == 7 for wait in one["waits"]]
    assert start <= waits[0][1] and start + length >= waits[0][1] + waits[0][2]
    assert tab.evaluate("location.hash") == f"#repair={finding}"


def test_an_address_with_a_repair_opens_its_place(opened):
    page, tab = opened("stall", "#repair=0")
    assert place(tab)[0] in (page.report["findings"][0]["steps"] or [place(tab)[0]])
    assert tab.evaluate("document.querySelector('#repair-0').classList.contains('chosen')")


def test_keys_move_and_zoom_the_timeline(opened):
    _, tab = opened("stall")
    tab.evaluate("timeline.canvas.focus()")
    before = place(tab)
    tab.press("+")
    zoomed = place(tab)
    assert zoomed[2] < before[2]
    tab.press("ArrowRight")
    assert place(tab)[1] > zoomed[1] and place(tab)[2] == zoomed[2]
    tab.press("0")
    assert place(tab)[1:3] == before[1:3]
    tab.press("]")
    tab.wait_for(f"timeline.step.step !== {before[0]}")
    assert place(tab)[0] == before[0] + 1


def test_the_search_finds_names_and_steps_through_them(opened):
    page, tab = opened("stall")
    name = next(kernel["name"] for kernel in page.report["kernels"] if kernel["class"] == "comm")
    tab.click("#timeline .name-search")
    tab.type(name.upper())
    tab.wait_for("timeline.matches && timeline.hits.length > 0")
    tab.press("Enter")
    tab.wait_for("timeline.chosen")
    assert tab.evaluate("timeline.chosen.name") == name
    assert name in tab.evaluate("document.querySelector('.chosen-span').textContent")


def test_arrow_keys_read_the_heat_map_and_enter_opens_a_cell(opened):
    page, tab = opened("stall")
    tab.open_all()
    caused = page.timeline()["caused"]
    tab.evaluate("document.querySelector('.heat canvas').focus()")
    for _ in range(2):
        tab.press("ArrowDown")
    for _ in range(caused["steps"].index(7)):
        tab.press("ArrowRight")
    assert tab.evaluate("tip.textContent").startswith("rank 2, step 7")
    assert shown({"ns": caused["ns"][2][caused["steps"].index(7)]}, "ns", "ns") in tab.evaluate("tip.textContent")
    tab.press("Enter")
    tab.wait_for("timeline.markedRank === 2")
    assert place(tab)[0] == 7 and place(tab)[3] == 2


@pytest.mark.full
def test_headings_sort_a_table(opened):
    page, tab = opened("stall")
    tab.open_all()
    times = f"[...document.querySelectorAll('#kernels td[data-path$=total_ns]')].map((one) => one.dataset.path)"
    tab.click("#kernels th:nth-child(2) button")
    tab.click("#kernels th:nth-child(2) button")
    paths = [path for path in tab.evaluate(times) if path.startswith("kernels.")]
    values = [page.report["kernels"][int(path.split(".")[1])]["total_ns"] for path in paths]
    assert len(values) > 2 and values == sorted(values)


def test_hostile_names_stay_text(tauprof, browser, page_of, tmp_path):
    traces = hostile_traces(tmp_path / "traces")
    subprocess.run([tauprof, "import", "kineto", traces, "-o", tmp_path / "logs"], check=True, capture_output=True, timeout=60)
    page = page_of(tmp_path / "logs")
    tab = browser.open(f"file://{page.path}")
    tab.open_all()
    tab.evaluate("document.querySelectorAll('.body .more button').forEach((one) => one.click())")
    text = tab.evaluate("document.querySelector('#kernels').textContent")
    assert all(name in text for name in NAMES)
    assert tab.evaluate("document.title").startswith("tauprof")
    assert tab.evaluate("document.querySelectorAll('img, svg, iframe, [onerror], [onload]').length") == 0
    assert tab.evaluate("document.scripts.length") == 7 and tab.problems() == []
    tab.close()
