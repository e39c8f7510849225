"""Operation traces of random training jobs: pipeline stages with 1F1B or interleaved schedules, data parallelism with
and without overlapped reductions, messages that carry nothing, clocks that start anywhere.

Each job is simulated pass by pass, with random times and delays, so that its order is one that a job can have. All other
steps and data-parallel ranks do the same operations in times of their own.
"""

import csv
import dataclasses
import gzip
import io
import random
import struct

HEADING = ["dp_rank", "stage", "rank", "step", "optype", "start_ts", "duration", "seq_id", "mc", "mb_id", "gmc"]


@dataclasses.dataclass
class Shape:
    dp: int
    pp: int
    vpp: int
    micro_batches: int
    steps: list
    dsp: int
    overlapped: bool
    lacks_first_receive: bool  # of the first stage, as interleaved schedules may
    extra_messages: bool  # before the first pass and after the last
    spread: float  # of durations
    delay: float  # before operations, at most
    clock: str  # "zero", "double" or "single"

    @property
    def uses_dp(self):
        return self.dp * self.dsp > 1


def random_shape(rng):
    pp = rng.choice([1, 1, 2, 2, 3, 4])
    vpp = rng.choice([1, 1, 2, 3]) if pp > 1 else 1
    return Shape(dp=rng.choice([1, 2, 3, 4]), pp=pp, vpp=vpp,
                 micro_batches=pp * rng.randint(1, 3) if vpp > 1 else rng.randint(1, 7),
                 steps=sorted(rng.sample(range(1000), rng.randint(1, 4))), dsp=rng.choice([1, 1, 2]),
                 overlapped=rng.random() < 0.4, lacks_first_receive=vpp > 1 and rng.random() < 0.4,
                 extra_messages=vpp > 1 and rng.random() < 0.4, spread=rng.choice([0, 0.02, 0.5, 2.0]),
                 delay=rng.choice([0, 0.001, 0.1, 2.0]), clock=rng.choice(["zero", "zero", "double", "single"]))


def schedule(shape, stage):
    """The passes of a stage in order: (is_forward, k)."""
    total = shape.micro_batches * shape.vpp
    warm_up = shape.pp - stage - 1
    if shape.vpp > 1:
        warm_up = 2 * warm_up + (shape.vpp - 1) * shape.pp
    warm_up = min(warm_up, total)
    passes = [(True, k) for k in range(warm_up)]
    for k in range(total - warm_up):
        passes += [(True, warm_up + k), (False, k)]
    return passes + [(False, k) for k in range(total - warm_up, total)]


def work_of(shape, is_forward, k):
    """(micro-batch, chunk) of a stage's k-th pass."""
    group = shape.pp * shape.vpp if shape.vpp > 1 else 1
    chunk = k % group // shape.pp if shape.vpp > 1 else 0
    micro_batch = k // group * shape.pp + k % shape.pp if shape.vpp > 1 else k
    return micro_batch, chunk if is_forward else shape.vpp - 1 - chunk


class StepOfWorkers:
    """One step of one data-parallel rank."""

    def __init__(self, rng, shape):
        self.rng, self.shape, self.rows, self.done = rng, shape, [], {}
        self.last_message = {}
        self.free = [0.0] * shape.pp
        self.gathered = {}
        for stage in range(shape.pp):
            if shape.uses_dp:
                self.gather(stage)
        self.compute()
        for stage in range(shape.pp):
            self.finish(stage)

    def length(self, mean):
        return mean * (1 + self.shape.spread * self.rng.random())

    def wait(self):
        return self.shape.delay * self.rng.random() ** 3

    def emit(self, type_, stage, start, end, mc=-1, mb=-1):
        self.rows.append([stage, type_, start, end - start, mc, mb, mc * self.shape.pp + stage if mc >= 0 else -1])
        return end

    def gather(self, stage):
        time = self.wait()
        for chunk in range(self.shape.vpp):
            for _ in range(self.rng.choice([1, 1, 2])) if stage == 0 else (1,):
                time = self.emit("params-all-gather", stage, time, time + self.length(0.3), chunk) + 0.001
            self.gathered[stage, chunk] = time

    def compute(self):
        passes = [schedule(self.shape, stage) for stage in range(self.shape.pp)]
        position = [0] * self.shape.pp
        while any(position[stage] < len(passes[stage]) for stage in range(self.shape.pp)):
            before = list(position)
            for stage in range(self.shape.pp):
                while position[stage] < len(passes[stage]) and self.run_pass(stage, passes[stage], position[stage]):
                    position[stage] += 1
            assert position != before, "the schedule blocks itself"
        if self.shape.extra_messages:
            for stage in range(self.shape.pp):
                self.emit("forward-recv", stage, self.free[stage] + 0.1, self.free[stage] + 0.2)
                self.emit("backward-recv", stage, self.free[stage] + 0.1, self.free[stage] + 0.15)

    def run_pass(self, stage, passes, position):
        """False: its input is not there yet."""
        is_forward, k = passes[position]
        shape, way = self.shape, 1 if is_forward else -1
        micro_batch, chunk = work_of(shape, is_forward, k)
        model_chunk = chunk * shape.pp + stage
        source = model_chunk - way
        is_first = not 0 <= source < shape.vpp * shape.pp
        if not is_first and (is_forward, micro_batch, source) not in self.done:
            return False
        start = self.free[stage] + self.wait()
        name = "forward" if is_forward else "backward"
        if not is_first or shape.vpp > 1:
            received = self.message(stage, name, k, passes, position,
                                    None if is_first else self.done[is_forward, micro_batch, source], source % shape.pp)
            start = max(start, received + self.wait())
        if is_forward:
            start = max(start, self.gathered.get((stage, chunk), 0) + self.wait())
        end = self.emit(name + "-compute", stage, start, start + self.length(1.0 if is_forward else 2.0), chunk,
                        micro_batch)
        self.free[stage] = end
        self.done[is_forward, micro_batch, model_chunk] = end
        self.last_message[stage, name, "pass"] = end
        is_last = not 0 <= model_chunk + way < shape.vpp * shape.pp
        if is_last and shape.vpp > 1:
            self.emit(name + "-send", stage, end + 0.0005, end + 0.001)
        return True

    def message(self, stage, name, k, passes, position, sent_after, sender):
        """When its input has arrived. None was sent: a message that carries nothing."""
        ready = self.last_message.get((stage, name, "pass"), 0.0)
        if name == "backward" and k == 0:
            earlier = max(0, position - 2)
            ready = self.pass_end(stage, passes, earlier) if position >= 2 else 0.0
        start = max(ready, self.last_message.get((stage, name, "recv"), 0.0)) + 0.0002 + self.wait()
        self.last_message[stage, name, "recv"] = start
        if sent_after is None:
            is_missing = k == 0 and stage == 0 and name == "forward" and self.shape.lacks_first_receive
            return start if is_missing else self.emit(name + "-recv", stage, start, start + 0.0005)
        send = max(sent_after, self.last_message.get((sender, name, "send"), 0.0)) + 0.0005
        self.last_message[sender, name, "send"] = send
        end = max(send, start) + self.length(0.05)
        self.emit(name + "-send", sender, send, end + 0.0004 * self.rng.random())
        return self.emit(name + "-recv", stage, start, end)

    def pass_end(self, stage, passes, position):
        is_forward, k = passes[position]
        micro_batch, chunk = work_of(self.shape, is_forward, k)
        return self.done[is_forward, micro_batch, chunk * self.shape.pp + stage]

    def finish(self, stage):
        shape, time = self.shape, self.free[stage]
        scatters = [(chunk, index) for chunk in reversed(range(shape.vpp)) for index in range(2 if stage == 0 else 1)]
        if shape.uses_dp and shape.overlapped:
            at = 0.0
            for chunk, _ in scatters:
                last = max(self.done[False, mb, chunk * shape.pp + stage] for mb in range(shape.micro_batches))
                at = max(at, last) + 0.001
                at = self.emit("grads-reduce-scatter", stage, at, at + self.length(0.2), chunk)
            time = max(time, at)

        def then(type_, mean, mc=-1):
            nonlocal time
            time += self.wait()
            time = self.emit(type_, stage, time, time + self.length(mean), mc)

        time += self.wait()
        time = self.emit("gc", stage, time, time)
        then("layernorm-grads-all-reduce", 0.01)
        if stage in (0, shape.pp - 1):
            then("embedding-grads-all-reduce", 0.2)
        if shape.uses_dp and shape.overlapped:
            then("separate-grads-all-reduce", 0.05)
        elif shape.uses_dp:
            for chunk, _ in scatters:
                then("grads-reduce-scatter", 0.3, chunk)
        then("optimizer-clip-main-grad", 0.05)
        then("optimizer", 0.2)


def numbered(rows):
    """Rows with the index among their type and stage, by start."""
    counts = {}
    result = []
    for stage, type_, start, duration, mc, mb, gmc in sorted(rows, key=lambda row: (row[2], row[1])):
        seq = counts[stage, type_] = counts.get((stage, type_), -1) + 1
        result.append([stage, type_, start, duration, seq, mc, mb, gmc])
    return result


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def make_rows(rng, shape):
    """Rows in the order of HEADING. The number of gathers differs by stage but not by step or rank."""
    rows = []
    ranks = rng.sample(range(shape.dp * shape.pp * 2), shape.dp * shape.pp)
    seed = rng.random()
    for step in shape.steps:
        of_step = []
        for dp in range(shape.dp):
            layout = random.Random(seed)  # how many gathers there are
            workers = StepOfWorkers(MixedRandom(layout, rng), shape)
            of_step += [(dp, row) for row in numbered(workers.rows)]
        first = min(row[2] for _, row in of_step)
        offset = {"zero": 0.0, "double": 1.7e9 + 60.1 * step, "single": 8.0}[shape.clock]
        for dp, (stage, type_, start, duration, seq, mc, mb, gmc) in of_step:
            start, duration = start - first + offset, max(0.0, duration)
            if shape.clock == "single":
                start, duration = single(start), single(duration)
            rows.append([dp, stage, ranks[dp * shape.pp + stage], step, type_, start, duration, seq, mc, mb, gmc])
    return rows


class MixedRandom:
    """Choices that all workers share, and numbers of each worker's own."""

    def __init__(self, layout, rng):
        self.choice, self.random = layout.choice, rng.random


def meta(shape, rng):
    tp = rng.choice([1, 2, 8])
    return {"trial_name": "random job", "run_id": 0, "dp_size": shape.dp, "dsp_size": shape.dsp, "pp_size": shape.pp,
            "tp_size": tp, "vpp_size": shape.vpp, "world_size": shape.dp * shape.pp * tp * shape.dsp}


def write(folder, rows, meta_values, rng=None, heading=HEADING):
    """The trace and its description; with `rng` in any of the ways in which tools write them."""
    rows, order = [list(row) for row in rows], list(range(len(heading)))
    compressed = rng is not None and rng.random() < 0.5
    if rng is not None:
        rng.shuffle(rows)
        rng.shuffle(order)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=rng.choice(["\n", "\r\n"]) if rng else "\n",
                        quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]) if rng else 0)
    writer.writerow([heading[i] for i in order])
    for row in rows:
        writer.writerow([repr(row[i]) if isinstance(row[i], float) else row[i] for i in order])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ("trace.csv.gz" if compressed else "trace.csv")
    path.write_bytes(gzip.compress(text.getvalue().encode()) if compressed else text.getvalue().encode())
    (folder / "meta.yaml").write_text("".join(f"{key}: {value}\n" for key, value in meta_values.items()))
    return path
