"""tauprof export -f perfetto: its tracks, counters and flows say what the report says."""

import collections
import json
import subprocess

import pytest

from conftest import HOSTILE_NAMES, analysed_steps, ranks_in
from perfetto_trace import Trace


@pytest.fixture
def trace(job, export):
    return Trace(export(job.logs, "perfetto").read_bytes())


def device_work(trace):
    return [one for one in trace.slices if "streams" in trace.path_of(one.track) and one.facts["class"] != "sync"]


def steps_of(trace, track):
    return {(trace.process_of(one.track), one.start): one for one in trace.slices if trace.tracks[one.track] == track}


def counted(trace, group, steps_track):
    """The sum of each counter of a group over the analysed steps."""
    starts = steps_of(trace, steps_track)
    sums = collections.Counter()
    for count in trace.counts:
        path = trace.path_of(count.track)
        step = starts.get((path[0], count.time))
        if path[1] == group and step and step.facts["analysed"]:
            sums[path[2]] += count.value
    return sums


def test_ranks_are_processes(trace, job):
    processes = [name for uuid, name in trace.tracks.items() if uuid not in trace.parents]
    assert [int(name.split()[1]) for name in processes] == ranks_in(job.report)


def test_the_counters_of_the_ledger_sum_to_the_report(trace, job):
    assert counted(trace, "ledger", "steps") == job.report["ledger"]["rows"]


def test_the_counters_of_phases_have_the_means_of_the_report(trace, job):
    windows = len(analysed_steps(job.report)) * len(ranks_in(job.report))
    for group, steps, key in (("phases on the host", "steps on the host", "host_ns"),
                              ("phases on the device", "steps", "device_ns")):
        sums = counted(trace, group, steps)
        for phase in job.report["phases"]:
            if not phase["derived"]:
                assert sums[phase["name"]] / windows == pytest.approx(phase[key]["mean"], abs=0.51)


def test_the_slices_of_phases_sum_to_their_counters(trace, job):
    """On the host; they fill the steps, one after the other."""
    sums, ends = collections.Counter(), {}
    starts = steps_of(trace, "steps on the host")
    bounds = sorted((process, one.start, one.end) for (process, _), one in starts.items() if one.facts["analysed"])
    for one in trace.slices:
        path = trace.path_of(one.track)
        if path[1:] != ("phases on the host",):
            continue
        assert one.start >= ends.get(path[0], one.start)
        ends[path[0]] = one.end
        if any(process == path[0] and start <= one.start and one.end <= end for process, start, end in bounds):
            sums[one.name] += one.end - one.start
    counters = counted(trace, "phases on the host", "steps on the host")
    assert sums.keys() == {name for name, ns in counters.items() if ns}
    # Slices are on the run's clock, counters on the rank's own.
    for name, ns in sums.items():
        assert ns == pytest.approx(counters[name], rel=1e-3, abs=5000), name


def test_steps_have_the_times_of_the_report(trace, job):
    steps = [one for one in steps_of(trace, "steps").values() if one.facts["analysed"]]
    assert {one.facts["step"] for one in steps} == analysed_steps(job.report)
    for expected in job.report["steps"]["list"]:
        times = [one.end - one.start for one in steps if one.facts["step"] == expected["step"]]
        assert sum(times) / len(times) == pytest.approx(expected["duration_ns"], abs=0.51)


def test_kernels_have_the_counts_and_sums_of_the_report(trace, job):
    found = collections.defaultdict(lambda: [0, 0])
    analysed = analysed_steps(job.report)
    for one in device_work(trace):
        if one.facts.get("step") in analysed:
            found[one.name, one.facts["class"]][0] += 1
            found[one.name, one.facts["class"]][1] += one.end - one.start
    assert found == {(kernel["name"], kernel["class"]): [kernel["count"], kernel["total_ns"]]
                     for kernel in job.report["kernels"]}


def test_calls_are_connected_to_what_they_launched(trace, job):
    ends = collections.defaultdict(lambda: [[], []])  # by flow: calls, device work
    for one in trace.slices:
        for flow in one.flows:
            if not flow >> 63:
                ends[flow]["streams" in trace.path_of(one.track)].append(one)
    assert ends
    unmatched = job.report["quality"]["unmatched_spans"]
    assert sum(len(work) for _, work in ends.values()) == len(device_work(trace)) - unmatched
    for calls, work in ends.values():
        assert len(calls) == 1 and work
        assert {trace.process_of(one.track) for one in work} == {trace.process_of(calls[0].track)}
        assert all(calls[0].start <= one.start for one in work)


def test_the_ranks_of_a_collective_are_connected(trace, job):
    members = collections.defaultdict(list)
    for one in trace.slices:
        for flow in one.flows:
            if flow >> 63:
                members[flow].append(one)
    assert members
    for ranks in members.values():
        assert len({trace.process_of(one.track) for one in ranks}) == len(ranks) > 1
        assert max(one.start for one in ranks) < min(one.end for one in ranks), "they ran at the same time"
        assert {one.facts["class"] for one in ranks} == {"comm"}


def test_hostile_names_stay_text(hostile_job, export):
    trace = Trace(export(hostile_job.logs, "perfetto").read_bytes())
    names = {kernel["name"] for kernel in hostile_job.report["kernels"]}
    assert set(HOSTILE_NAMES[:-1]) <= names and "tab\there ?? bytes" in names
    assert {one.name for one in device_work(trace)} == names
    assert {one.name for one in trace.slices if one.category == "annotation"} >= names


def test_slices_that_overlap_are_on_tracks_of_one_name(tauprof, export, tmp_path):
    """Times in us: kernels of one stream at once, and ranges of one thread of which none encloses the other."""
    kernels = {"a": (100, 50), "b": (120, 100), "c": (150, 20), "d": (160, 5)}
    ranges = {"outer": (0, 400), "inner": (10, 90), "across": (50, 300), "after": (400, 10)}
    events = [{"ph": "X", "cat": "user_annotation", "name": name, "pid": 5, "tid": 5, "ts": start, "dur": length}
              for name, (start, length) in ranges.items()]
    for number, (name, (start, length)) in enumerate(kernels.items(), 1):
        events += [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5,
                    "ts": 60 + 5 * number, "dur": 2, "args": {"correlation": number}},
                   {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": start, "dur": length,
                    "args": {"correlation": number, "stream": 7, "device": 0}}]
    (tmp_path / "trace.json").write_text(json.dumps({"traceEvents": events}))
    subprocess.run([tauprof, "import", "kineto", tmp_path / "trace.json", "-o", tmp_path / "logs"], check=True,
                   capture_output=True)
    trace = Trace(export(tmp_path / "logs", "perfetto").read_bytes())
    found = {one.name: one for one in trace.slices}
    for name, (start, length) in {**kernels, **ranges}.items():
        assert (found[name].start, found[name].end) == (1000 * start, 1000 * (start + length)), name
    assert {trace.tracks[found[name].track] for name in kernels} == {"stream 7"}
    assert found["a"].track == found["c"].track != found["b"].track
    assert found["d"].track not in (found["b"].track, found["c"].track)
    assert found["outer"].track == found["inner"].track == found["after"].track != found["across"].track
    assert len({trace.tracks[found[name].track] for name in ranges}) == 1


def test_perfettos_own_definitions_parse_it(job, export):
    """Counts of packets and of slices by name, and the sums of counters, by PyPI's package perfetto where it is installed."""
    definitions = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    data = export(job.logs, "perfetto").read_bytes()
    trace, own = definitions.Trace(), Trace(data)
    assert trace.ParseFromString(data) == len(data)
    kinds, sums = collections.Counter(), 0
    for packet in trace.packet:
        if packet.HasField("track_event"):
            kinds[packet.track_event.type] += 1
            sums += packet.track_event.counter_value
    event = definitions.TrackEvent
    assert kinds[event.TYPE_SLICE_BEGIN] == kinds[event.TYPE_SLICE_END] == len(own.slices)
    assert kinds[event.TYPE_COUNTER] == len(own.counts) and sums == sum(count.value for count in own.counts)
    described = {packet.track_descriptor.uuid for packet in trace.packet if packet.HasField("track_descriptor")}
    assert described == own.tracks.keys()
