"""One training program, built so that hooks see all, some or none of its calls. The logs are held against what the
simulated devices did, and the reports against each other. docs/coverage.md says what a way loses."""

import collections

import pytest

from door_runs import WAYS, calls_by_function, door_program, of_all_times, run_program
from recorded_run import program, simulated

# Hooks see all that a way's NCCL and runtime do not hide from the other doors.
COMPLETE = ("static", "late_nccl")
LOOPS = ["", "--zero", "--experts", "--pipeline 2 --micro-batches 4", "--tensor 2", "--graph"]


@pytest.mark.parametrize("text", [LOOPS[0], *(pytest.param(text, marks=pytest.mark.full) for text in LOOPS[1:])])
@pytest.mark.parametrize("way", COMPLETE)
def test_what_no_hook_sees_is_recorded_as_it_happened(recorder, way, text):
    run = run_program(recorder, way, text)
    assert run.errors == ""
    assert run.faults() == ""


@pytest.mark.parametrize("way", WAYS)
def test_each_way_has_the_report_of_the_shared_program(recorder, way):
    shared, other = run_program(recorder, "shared", "--nvtx"), run_program(recorder, way, "--nvtx")
    assert other.what_the_user_sees() == shared.what_the_user_sees()
    assert of_all_times(other.report(), way) == of_all_times(shared.report(), way)


@pytest.mark.parametrize("way", WAYS)
def test_each_way_has_the_calls_of_the_shared_program(recorder, way):
    for one, other in zip(run_program(recorder, "shared").read_logs(), run_program(recorder, way).read_logs(), strict=True):
        assert calls_by_function(other) == calls_by_function(one)


def test_messages_and_exchanges_in_groups_have_their_peers(recorder):
    run = run_program(recorder, "late_nccl", "--experts")
    assert run.faults() == ""
    rows = run.read_logs()[0].rows["collective"]
    assert {row["operation"] for row in rows} >= {"send", "receive"}


def test_counting_devices_starts_no_recording(recorder):
    for way in ("shared", "static"):
        run = recorder.run([door_program(f"subscribes_{way}"), "count"])
        assert run.what_the_user_sees() == (0, "", "")
        assert not run.log_files()


def test_a_program_that_hooks_see_keeps_its_subscription_of_cupti(recorder):
    run = recorder.run([door_program("subscribes_shared")])
    assert run.what_the_user_sees() == (0, "0\n", "")
    assert calls_by_function(run.only_log()) == {"cudaMalloc": 1, "cudaFree": 1}


def test_a_static_program_has_a_log(recorder):
    run = recorder.run([door_program("subscribes_static")])
    assert run.status == 0
    assert calls_by_function(run.only_log()) == {"cudaMalloc": 1, "cudaFree": 1}
    assert collections.Counter(row["action"] for row in run.only_log().rows["memory"]) == {"allocate": 1, "free": 1}


def test_another_subscriber_gets_the_subscription(recorder):
    """Before and after it, calls come from our callbacks."""
    run = recorder.run([door_program("subscribes_static"), "hooked"])
    assert run.what_the_user_sees() == (0, "0\n0\n", "")
    assert calls_by_function(run.only_log()) == {"cudaMalloc": 2, "cudaFree": 2}


def test_calls_of_the_driver_are_recorded(recorder):
    run = recorder.run([door_program("driver_only")])
    assert run.what_the_user_sees() == (0, "", "")
    log = run.only_log()
    assert calls_by_function(log) == {"cuStreamCreate": 1, "cuMemAlloc": 1, "cuMemsetD32Async": 10, "cuMemcpyDtoHAsync": 1,
                                      "cuStreamSynchronize": 1, "cuMemFree": 1, "cuMemCreate": 2, "cuMemMap": 2,
                                      "cuMemUnmap": 1, "cuMemRelease": 2}
    assert {row["bytes"] for row in log.rows["call"] if row["function"] == "cuMemsetD32Async"} == {1 << 18}
    assert [(row["action"], row["bytes"]) for row in log.rows["memory"]] == [
        ("allocate", 1 << 18), ("free", 0), ("allocate", 2 << 20), ("allocate", 2 << 20), ("free", 4 << 20)]
    work = [row for row in log.rows["device_activity"] if row["activity"] != "synchronization"]
    assert collections.Counter(log.owner(row["correlation"])["function"] for row in work) == {
        "cuMemsetD32Async": 10, "cuMemcpyDtoHAsync": 1}


@pytest.mark.parametrize("timing", ["events", "off"])
def test_cupti_is_left_alone_where_the_user_says_so(recorder, timing):
    run = recorder.run([door_program("subscribes_static")], variables={"TAUPROF_DEVICE_TIMING": timing})
    assert run.what_the_user_sees() == (0, "0\n", "")
    assert not run.log_files()


@pytest.mark.parametrize("asked", [True, False])
def test_a_library_that_was_not_preloaded_records_where_it_is_asked_to(recorder, asked):
    library = program("TAUPROF_PRELOAD")
    variables = {"CUDA_INJECTION64_PATH": library, "NCCL_PROFILER_PLUGIN": library, "NVTX_INJECTION64_PATH": library}
    variables |= {"TAUPROF_ENABLE": "1"} if asked else {}
    run = run_program(recorder, "static", "--nvtx", preload=False, variables=variables)
    assert (run.status, run.errors) == (0, "")
    if asked:
        shared = run_program(recorder, "shared", "--nvtx")
        assert of_all_times(run.report(), "late") == of_all_times(shared.report(), "late")
    else:
        assert not run.log_files()


def test_another_tool_keeps_the_injection(recorder):
    variables = {"CUDA_INJECTION64_PATH": door_program("libother_injection.so")}
    run = recorder.run([door_program("subscribes_static")], variables=variables)
    assert run.what_the_user_sees() == (0, "0\n", "injected\n")
    assert not run.log_files()


def events(path):
    return collections.Counter(path.read_text().split("\n"))


@pytest.mark.parametrize("version", [5, 6])
@pytest.mark.parametrize("way", ["shared", "static"])
def test_a_second_plugin_has_its_events(recorder, tmp_path, way, version):
    """As without the recorder, whether ours has events, too, or hooks see NCCL."""
    seen = []
    for preload in (False, True):
        variables = {"LD_LIBRARY_PATH": door_program(f"plugin{version}"),
                     "SECOND_PLUGIN_OUT": str(tmp_path / f"events{preload}")}
        run = run_program(recorder, way, preload=preload, variables=variables)
        assert (run.status, run.errors) == (0, "")
        seen.append(events(tmp_path / f"events{preload}"))
    assert run.faults() == ""
    assert seen[0] == seen[1]
    assert seen[0]["start 512 AllReduce"] > 0 and seen[0]["init 1 of 2"] == 1


def test_a_plugin_that_the_user_names_has_the_slot(recorder, tmp_path):
    variables = {"NCCL_PROFILER_PLUGIN": door_program("plugin6/libnccl-profiler.so"),
                 "SECOND_PLUGIN_OUT": str(tmp_path / "events")}
    run = run_program(recorder, "shared", variables=variables)
    assert (run.status, run.errors) == (0, "")
    assert run.faults() == ""
    assert events(tmp_path / "events")["start 512 AllReduce"] > 0


def test_a_plugin_that_is_too_old_is_named(recorder, tmp_path):
    variables = {"LD_LIBRARY_PATH": door_program("plugin4"), "SECOND_PLUGIN_OUT": str(tmp_path / "events")}
    run = run_program(recorder, "static", variables=variables)
    assert run.status == 0
    lines = run.errors.splitlines()
    assert len(lines) == 2  # of each rank
    assert all(line.startswith("tauprof: libnccl-profiler.so speaks an older version") for line in lines)


def test_nccl_that_hooks_see_sends_no_events(recorder):
    """NCCL says which events it is asked for."""
    run = run_program(recorder, "shared", variables={"NCCL_DEBUG": "INFO"})
    assert "Profiler event mask 0x0" in run.output + run.errors
    assert "Profiler event mask 0x704" in (lambda other: other.output + other.errors)(
        run_program(recorder, "static", variables={"NCCL_DEBUG": "INFO"}))


@pytest.mark.parametrize("way", WAYS)
def test_each_way_knows_its_devices(recorder, way):
    """And so the peak that products are measured against. Long enough for some readings of sensors."""
    shared, other = (run_program(recorder, one, "--steps 60") for one in ("shared", way))
    for one, its in zip(shared.read_logs(), other.read_logs(), strict=True):
        assert its.rows["device"] == one.rows["device"]
        assert {row["metric"] for row in its.rows["telemetry"]} == {row["metric"] for row in one.rows["telemetry"]}
    assert other.report()["run"]["devices"] == shared.report()["run"]["devices"] != []
    peak = shared.report()["efficiency"]["peak_flops"]
    assert other.report()["efficiency"]["peak_flops"] == pytest.approx(peak)


def test_a_program_of_the_driver_alone_knows_its_device(recorder):
    [device] = recorder.run([door_program("driver_only")]).only_log().rows["device"]
    assert device["name"] == "NVIDIA H200 (simulated)" and device["uuid"].startswith("GPU-")
    assert device["memory_bytes"] > 140e9 and device["sm_count"] == 132
    assert (device["compute_major"], device["compute_minor"]) == (9, 0)


@pytest.mark.parametrize("way", ["shared", *WAYS])
def test_device_records_alone_know_their_devices(recorder, way):
    """No call has a row, but the devices whose work is recorded are up. Their sensors are read, too."""
    log = run_program(recorder, way, "--steps 60", ranks=1, variables={"TAUPROF_CAPTURE": "device,telemetry"}).only_log()
    assert not log.rows["call"]
    [device] = log.rows["device"]
    assert device["name"] == "NVIDIA H200 (simulated)" and device["uuid"].startswith("GPU-")
    assert {"sm_clock_mhz", "power_mw"} <= {row["metric"] for row in log.rows["telemetry"]}


def test_device_records_of_the_driver_alone_know_their_device(recorder):
    run = recorder.run([door_program("driver_only")], variables={"TAUPROF_CAPTURE": "device"})
    [device] = run.only_log().rows["device"]
    assert device["name"] == "NVIDIA H200 (simulated)" and device["memory_bytes"] > 140e9
