"""Why a device was idle, on gaps computed by hand."""

from oracle import idle
from oracle.job_of_calls import JobOfCalls
from oracle.truth import Call, Span

US = 1000


def gap_from_120_to_200(at, end, **values):
    """A kernel that ends at 120, and one at 200 launched by a call from `at` to `end`."""
    built = JobOfCalls()
    built.launch("compute", 100, 120, phase=values.pop("first_phase", "forward"))
    call = built.launch("compute", 200, 210, at=at, **values)
    call.end = end
    return built


def test_a_gap_after_the_launch_is_device_latency():
    assert gap_from_120_to_200(150, 160).rows() == {"compute": 30, "idle_host_launch": 40, "idle_device_latency": 40}


def test_a_gap_after_the_launch_is_a_dependency_when_an_event_held_the_work():
    built = gap_from_120_to_200(150, 160)
    built.call("stream_wait", 140, 145, stream=7)
    assert built.rows() == {"compute": 30, "idle_host_launch": 40, "idle_dependency": 40}


def test_an_event_before_the_previous_launch_holds_nothing():
    built = gap_from_120_to_200(150, 160)
    built.call("stream_wait", 90, 95, stream=7)
    assert "idle_dependency" not in built.rows()


def test_a_synchronisation_counts_until_the_next_launch():
    built = gap_from_120_to_200(180, 190)
    built.call("sync", 110, 130)
    built.call("other", 150, 155)
    assert built.rows() == {"compute": 30, "idle_host_sync": 60, "idle_host_launch": 10, "idle_device_latency": 10}


def gap_of_a_millisecond(cpu_before, cpu_after, busy_until=100 * US, **values):
    """The thread's CPU clock is read at launches at 99 µs and at 1100 µs; the latter ends the gap."""
    built = JobOfCalls()
    built.launch("compute", 100 * US, 101 * US, thread_cpu_ns=cpu_before, at=99 * US)
    if busy_until > 100 * US:
        built.call("other", 99 * US + 1, busy_until)
    call = built.launch("compute", 1110 * US, 1111 * US, at=1100 * US, thread_cpu_ns=cpu_after, **values)
    call.end = 1102 * US
    return built


def test_a_pause_off_the_cpu_is_a_stall():
    pause = 1100 * US - (99 * US + 1)
    assert gap_of_a_millisecond(US, US + pause // 2).rows()["idle_host_stall"] == 999 * US
    assert "idle_host_stall" not in gap_of_a_millisecond(US, US + pause).rows()
    assert "idle_host_stall" not in gap_of_a_millisecond(US, None).rows()
    assert "idle_host_stall" not in gap_of_a_millisecond(None, US).rows()


def test_cpu_time_used_before_the_pause_is_subtracted():
    # A call of 601 µs, then a pause of 400 µs; 601 + 199 µs of CPU time: the thread ran for under half of the pause.
    assert gap_of_a_millisecond(US, US + 800 * US, busy_until=700 * US).rows()["idle_host_stall"] == 400 * US
    assert "idle_host_stall" not in gap_of_a_millisecond(US, US + 802 * US, busy_until=700 * US).rows()


def test_contradictory_readings_prove_no_stall():
    # A call of 700 µs needs more than the 630 µs of CPU time that were used.
    assert "idle_host_stall" not in gap_of_a_millisecond(US, US + 630 * US, busy_until=800 * US).rows()


def test_a_blocking_call_needs_no_cpu_time():
    built = gap_of_a_millisecond(US, US + 300 * US)
    built.call("sync", 99 * US + 1, 700 * US)
    # The thread ran for 1 of the 601 µs before the pause, and for 299 of the pause's 400.
    assert "idle_host_stall" not in built.rows()
    assert built.rows()["idle_host_sync"] == (599 + 200) * US
    assert built.rows()["idle_host_launch"] == 202 * US
    built.calls()[-1].thread_cpu_ns = US + 150 * US
    assert built.rows()["idle_host_stall"] == 400 * US


def test_a_spinning_call_hides_no_stall_behind_it():
    built = gap_of_a_millisecond(US, US + 710 * US)
    built.call("sync", 99 * US + 1, 700 * US).end_cpu_ns = US + 700 * US
    assert built.rows()["idle_host_stall"] == 400 * US
    built.calls()[-1].thread_cpu_ns = US + 1000 * US
    assert "idle_host_stall" not in built.rows()


def test_a_short_pause_after_a_synchronisation_belongs_to_it():
    built = gap_from_120_to_200(180, 190, first_phase="optim_step", to_device=True)
    built.call("sync", 110, 130)
    assert "idle_data_wait" not in built.rows()
    assert built.rows()["idle_host_sync"] == 60


def test_a_long_pause_after_a_synchronisation_can_be_a_data_wait():
    built = gap_of_a_millisecond(None, None, to_device=True)
    built.calls()[0].phase = "optim_step"
    built.call("sync", 99 * US + 1, 400 * US)
    assert built.rows()["idle_data_wait"] == 700 * US


def test_a_gap_between_optimizer_and_input_copy_is_a_data_wait():
    assert gap_from_120_to_200(180, 190, first_phase="optim_step", to_device=True).rows()["idle_data_wait"] == 60
    assert "idle_data_wait" not in gap_from_120_to_200(180, 190, first_phase="forward", to_device=True).rows()


def test_other_launches_after_the_optimizer_do_not_matter():
    built = gap_from_120_to_200(180, 190, first_phase="optim_step", to_device=True)
    built.call("launch", 130, 131, phase="sync_gather")
    assert built.rows()["idle_data_wait"] == 49
    built.call("launch", 140, 141, phase="forward")
    assert "idle_data_wait" not in built.rows()


def test_a_gap_is_a_data_wait_only_inside_a_loader_range():
    built = gap_from_120_to_200(180, 190)
    built.range("enumerate(DataLoader)", 140, 170, phase="dataload_wait")
    assert built.rows() == {"compute": 30, "idle_data_wait": 30, "idle_host_launch": 40, "idle_device_latency": 10}


def test_a_gap_before_a_span_without_a_call_is_other():
    built = JobOfCalls()
    built.launch("compute", 100, 120)
    built.launch("compute", 150, 160)
    built.job.ranks[0].spans.append(Span(0, "copy", "memset", 7, 130, 140))
    assert built.rows() == {"compute": 30, "exposed_copy": 10, "idle_other": 10, "idle_host_launch": 10}


def test_the_span_launched_first_ends_a_gap_that_several_spans_end():
    late, early = Call(1, "main", "launch", "launch", 20, 21), Call(2, "main", "launch", "launch", 10, 11)
    spans = [Span(0, "compute", "a", 7, 50, 60, late), Span(0, "compute", "b", 13, 50, 60, early),
             Span(0, "compute", "c", 13, 50, 60)]
    assert idle.ends_gap(spans).name == "b"
