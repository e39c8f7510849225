"""Recorded traces carry the framework's annotations of the optimizer, the loader and the autograd engine. With all of
these and the step markers hidden, the phases that the report infers from launches alone agree with them."""

import collections
import gzip
import json
import subprocess

import pytest

SETS = ("torchrec_sst5qb", "torchrec_sst2a", "hta_nccl_data_1of2")
TOLERANCE = 0.02  # of a step
LAUNCHES = ("cuda_runtime", "cuda_driver")
WORK = ("kernel", "gpu_memcpy", "gpu_memset")


def end(event):
    return event["ts"] + event["dur"]


def covered(events):
    """The time in which at least one of the events runs."""
    total, until = 0, float("-inf")
    for event in sorted(events, key=lambda event: event["ts"]):
        total += max(0, end(event) - max(until, event["ts"]))
        until = max(until, end(event))
    return total


def is_annotation(event):
    """Whether the event reveals phases. Ranges of NCCL calls describe collectives and stay."""
    name = str(event.get("name", ""))
    is_range = event.get("cat") in ("user_annotation", "gpu_user_annotation")
    return (is_range and not name.startswith("nccl:")) or "autograd" in name or "Backward" in name


class Annotated:
    """The annotations of one rank: for each phase its ranges, and the work launched inside them."""

    def __init__(self, events):
        ranges = [event for event in events if event.get("cat") == "user_annotation"]
        self.steps = [event for event in ranges if event["name"].startswith("ProfilerStep#")]
        engine = [event for event in events if "autograd::engine::evaluate_function" in str(event.get("name", ""))]
        self.ranges = {
            "optim_step": [event for event in ranges if event["name"].startswith("Optimizer.step#")],
            "zero_grad_sched": [event for event in ranges if event["name"].startswith("Optimizer.zero_grad#")],
            "dataload_wait": [event for event in ranges if event["name"].startswith("enumerate(DataLoader)#")],
            "backward": [self._pass(step, engine) for step in self.steps],
        }
        # If the program marks its call of backward(), that range is the host time: it starts before the engine does.
        self.calls = [event for event in ranges if event["name"] == "## backward ##"]
        self.work = {event["args"]["correlation"]: event for event in events
                     if event.get("cat") in WORK and "correlation" in event.get("args", {})}
        self.launches = [event for event in events if event.get("cat") in LAUNCHES
                         and event.get("args", {}).get("correlation") in self.work]

    @staticmethod
    def _pass(step, engine):
        """From the first function that the engine evaluates to the last."""
        own = [event for event in engine if step["ts"] <= event["ts"] < end(step)]
        start = min(event["ts"] for event in own)
        return {"ts": start, "dur": max(map(end, own)) - start, "tid": own[0]["tid"]}

    def host_us(self, phase):
        return covered(self.calls if phase == "backward" and self.calls else self.ranges[phase])

    def device_us(self, phase):
        return covered([self.work[launch["args"]["correlation"]] for launch in self.launches
                        if any(of["tid"] == launch["tid"] and of["ts"] <= launch["ts"] < end(of)
                               for of in self.ranges[phase])])


class Trace:
    """A set of traces: the mean phase times by its annotations, and the report made without them."""

    def __init__(self, tauprof, source, folder):
        hidden = folder / "hidden"
        hidden.mkdir()
        self.host_us, self.device_us = collections.Counter(), collections.Counter()
        steps = []
        for path in sorted(source.glob("*.json.gz")):
            with gzip.open(path) as file:
                trace = json.load(file)
            events = trace["traceEvents"] if isinstance(trace, dict) else trace
            rank = Annotated(events)
            steps += [step["dur"] for step in rank.steps]
            for phase in rank.ranges:
                self.host_us[phase] += rank.host_us(phase)
                self.device_us[phase] += rank.device_us(phase)
            events[:] = [event for event in events if not is_annotation(event)]
            (hidden / path.name[:-3]).write_text(json.dumps(trace))
        for of in (self.host_us, self.device_us):
            for phase in of:
                of[phase] /= len(steps)
        self.step_us = sum(steps) / len(steps)
        for command in ([tauprof, "import", "kineto", hidden, "-o", folder / "logs"],
                        [tauprof, "analyze", folder / "logs", "--json", "-"]):
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert not report["steps"]["detected_by"].startswith("marker")
        self.found = {phase["name"]: phase for phase in report["phases"]}


@pytest.fixture(scope="module", params=SETS)
def trace(request, tauprof, data_folder, tmp_path_factory):
    return Trace(tauprof, data_folder / request.param, tmp_path_factory.mktemp(request.param))


@pytest.mark.parametrize("phase", ["optim_step", "zero_grad_sched", "dataload_wait", "backward"])
def test_phases_agree_with_the_hidden_annotations(trace, phase):
    found = trace.found[phase]
    enough = TOLERANCE * trace.step_us
    assert found["device_ns"]["mean"] / 1000 == pytest.approx(trace.device_us[phase], abs=enough)
    assert found["host_ns"]["mean"] / 1000 == pytest.approx(trace.host_us[phase], abs=enough)


def test_the_annotations_cover_time(trace):
    assert trace.host_us["optim_step"] > 0 and trace.device_us["optim_step"] > 0
    assert trace.device_us["backward"] > TOLERANCE * trace.step_us
