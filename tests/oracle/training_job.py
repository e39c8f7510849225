"""What-if answers of an operation trace, computed slowly from the published definitions (docs/metrics.md, `whatif`).

One dictionary entry per operation and replay; nothing is shared with the analyzer. `answers` returns the fields under
the names that the publishers gave them.
"""

import collections
import csv
import gzip
import math
import statistics
import struct

FORWARD, BACKWARD = "forward-compute", "backward-compute"
P2P = {"forward-send": 1, "forward-recv": -1, "backward-send": -1, "backward-recv": 1}
COUNTERPART = {"forward-send": "forward-recv", "forward-recv": "forward-send",
               "backward-send": "backward-recv", "backward-recv": "backward-send"}
AG, RS, SEP = "params-all-gather", "grads-reduce-scatter", "separate-grads-all-reduce"
LN, EMB, CLIP = "layernorm-grads-all-reduce", "embedding-grads-all-reduce", "optimizer-clip-main-grad"
MEAN_TYPES = {FORWARD, BACKWARD, "optimizer", "gc"}
TOLERANCE_S = 5e-5
NEGATIVE_S = -0.01
THRESHOLD = 1.03

Op = collections.namedtuple("Op", "type seq stage")


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def read_rows(path):
    opened = gzip.open(path, "rt", newline="") if str(path).endswith(".gz") else open(path, newline="")
    with opened as file:
        return [{**row, **{name: float(row[name]) for name in ("start_ts", "duration")},
                 **{name: int(row[name]) for name in ("dp_rank", "stage", "rank", "step", "seq_id", "mc", "gmc")}}
                for row in csv.DictReader(file)]


def mean(values):
    return math.fsum(values) / len(values)


class Job:
    def __init__(self, rows, dsp_size):
        first = collections.defaultdict(lambda: math.inf)
        for row in rows:
            first[row["step"]] = min(first[row["step"]], row["start_ts"])
        is_exact = all(float32(row["start_ts"]) == row["start_ts"] for row in rows)
        self.is_double = any(first.values()) and not is_exact
        self.round = (lambda value: value) if self.is_double else float32
        self.steps = sorted(first)
        self.dp = max(row["dp_rank"] for row in rows) + 1
        self.pp = max(row["stage"] for row in rows) + 1
        self.use_dp = self.dp * dsp_size > 1
        self.start, self.end, self.duration, self.rank = {}, {}, {}, {}
        self.reference = []
        for row in rows:
            op = Op(row["optype"], row["seq_id"], row["stage"])
            at = (row["step"], row["dp_rank"], op)
            assert at not in self.start
            self.start[at] = self.round(row["start_ts"])
            self.duration[at] = self.round(row["duration"])
            self.end[at] = self.round(self.start[at] + self.duration[at])
            self.rank[row["dp_rank"], row["stage"]] = row["rank"]
            if row["dp_rank"] == 0 and row["step"] == self.steps[0]:
                self.reference.append((op, row["mc"], row["gmc"]))
        self.mc = {op: mc for op, mc, _ in self.reference}
        self.gmc = {op: gmc for op, _, gmc in self.reference}
        self.ops = [op for op, _, _ in self.reference]
        self.vpp = max(self.mc.values()) + 1
        self.ovlp = any(op.type == SEP for op in self.ops)
        self.before = collections.defaultdict(set)
        self.groups = {}
        self.find_dependencies()
        self.find_groups()
        self.order = self.sort()
        self.find_transfers_and_delays()

    def of(self, stage, *types):
        """The reference group's operations of these types, in order."""
        return sorted((op for op in self.ops if op.stage == stage and op.type in types),
                      key=lambda op: (self.ref_start(op), op.seq, op.type))

    def ref_start(self, op):
        return self.start[self.steps[0], 0, op]

    def ref_end(self, op):
        return self.end[self.steps[0], 0, op]

    def edge(self, before, after):
        assert before in self.mc and after in self.mc, (before, after)
        self.before[after].add(before)

    def chain(self, ops):
        for before, after in zip(ops, ops[1:]):
            self.edge(before, after)

    def find_dependencies(self):
        self.pairs = collections.defaultdict(list)
        for stage in range(self.pp):
            compute = self.of(stage, FORWARD, BACKWARD)
            self.chain(compute)
            for type_ in P2P:
                self.chain(self.of(stage, type_))
                self.match(stage, type_)
            self.first_backward(stage, compute)
            if self.use_dp:
                self.chain(self.of(stage, AG, RS))
                self.data_parallel(stage)
            self.after_compute(stage, compute)

    def match(self, stage, type_):
        direction, io = type_.split("-")
        compute = self.of(stage, direction + "-compute")
        ops = self.of(stage, type_)
        if not compute:
            valid = []
        elif io == "recv":
            latest = max(self.ref_start(op) for op in compute)
            valid = [op for op in ops if self.ref_start(op) <= latest + TOLERANCE_S]
        else:
            earliest = min(self.ref_end(op) for op in compute)
            valid = [op for op in ops if self.ref_end(op) >= earliest - TOLERANCE_S]
        k = 0
        if len(valid) != len(compute):
            assert stage in (0, self.pp - 1) and len(valid) in (0, len(compute) - 1)
            if io == "recv" and len(valid) == len(compute) - 1:
                k = 1
        visible = 0
        for op in ops:
            is_noop = op not in valid
            if not is_noop:
                matched = Op(direction + "-compute", k, stage)
                is_noop = not 0 <= self.gmc[matched] + P2P[type_] < self.vpp * self.pp
                if io == "send":
                    self.edge(matched, op)
                else:
                    self.edge(op, matched)
                    if k > 0:
                        self.edge(Op(direction + "-compute", k - 1, stage), op)
                k += 1
            if is_noop:
                self.groups[op] = [op]
                continue
            names = ((type_, stage, visible), (COUNTERPART[type_], (stage + P2P[type_]) % self.pp, visible))
            self.pairs[frozenset(names)].append(op)
            visible += 1

    def first_backward(self, stage, compute):
        position = next((i for i, op in enumerate(compute) if op.type == BACKWARD), 0)
        if position < 2:
            return
        assert compute[position - 1].type == compute[position - 2].type == FORWARD
        for type_ in ("backward-recv", "backward-send"):
            if Op(type_, 0, stage) in self.mc:
                self.edge(compute[position - 2], Op(type_, 0, stage))

    def data_parallel(self, stage):
        for mc in {self.mc[op] for op in self.of(stage, AG)}:
            gather = max((op for op in self.of(stage, AG) if self.mc[op] == mc), key=lambda op: op.seq)
            self.edge(gather, next(op for op in self.of(stage, FORWARD) if self.mc[op] == mc))
        for mc in {self.mc[op] for op in self.of(stage, RS)} if self.ovlp else ():
            scatter = min((op for op in self.of(stage, RS) if self.mc[op] == mc), key=lambda op: op.seq)
            self.edge(max((op for op in self.of(stage, BACKWARD) if self.mc[op] == mc), key=self.ref_end), scatter)

    def after_compute(self, stage, compute):
        scatters = [Op(RS, k, stage) for k in range(len(self.of(stage, RS)))]
        tail = [max(compute, key=self.ref_end), Op("gc", 0, stage), Op(LN, 0, stage)]
        if stage in (0, self.pp - 1):
            tail.append(Op(EMB, 0, stage))
        if self.use_dp and self.ovlp:
            tail.append(Op(SEP, 0, stage))
            if scatters:
                self.edge(scatters[-1], Op(LN, 0, stage))
        elif self.use_dp:
            tail += scatters
        self.chain(tail + [Op(CLIP, 0, stage), Op("optimizer", 0, stage)])

    def find_groups(self):
        for pair in self.pairs.values():
            assert len(pair) == 2
            for op in pair:
                self.groups[op] = pair
        for op in self.ops:
            if op.type in (AG, RS, SEP):
                assert self.use_dp
                self.groups[op] = [op]
        ends = sorted({Op(EMB, 0, 0), Op(EMB, 0, self.pp - 1)})
        clips = [Op(CLIP, 0, stage) for stage in range(self.pp)]
        self.groups.update({op: ends for op in ends} | {op: clips for op in clips})

    def sort(self):
        """Whole groups in an order in which every operation comes after those before it."""
        node = {op: frozenset(self.groups.get(op, [op])) for op in self.ops}
        before = collections.defaultdict(set)
        for op in self.ops:
            before[node[op]] |= {node[earlier] for earlier in self.before[op]}
        order, open_nodes = [], list(dict.fromkeys(node.values()))
        done = set()
        while open_nodes:
            ready = [one for one in open_nodes if before[one] <= done]
            assert ready, "operations wait for each other in a circle"
            order += ready
            done.update(ready)
            open_nodes = [one for one in open_nodes if one not in done]
        return order

    def is_synced(self, op):
        return op.type in (AG, RS, SEP, CLIP)

    def members(self, step, dp, op):
        ranks = range(self.dp) if self.is_synced(op) else (dp,)
        return [(step, rank, member) for member in self.groups[op] for rank in ranks]

    def find_transfers_and_delays(self):
        first = {step: min(self.start[at] for at in self.start if at[0] == step) for step in self.steps}
        self.transfer, self.delay = {}, {}
        for at in self.start:
            step, dp, op = at
            if op in self.groups:
                begin = max(self.start[member] for member in self.members(*at))
                transfer = self.round(self.end[at] - begin)
                self.transfer[at] = 0.0 if transfer <= NEGATIVE_S else float32(transfer)
            ready = max((self.end[step, dp, before] for before in self.before[op]), default=first[step])
            delay = self.round(self.start[at] - ready)
            self.delay[at] = 0.0 if delay <= NEGATIVE_S else float32(delay)
        for at in self.start:
            if self.is_double:
                self.start[at] = float32(self.start[at] - first[at[0]])
                self.end[at] = float32(self.end[at] - first[at[0]])
            self.duration[at] = float32(self.duration[at])

    def replay(self, steps, duration, transfer, delay=lambda at: 0.0):
        """(full, opt) by step."""
        full, opt = {}, {}
        for step in steps:
            start, end = {}, {}
            for node in self.order:
                for op in node:
                    for dp in range(self.dp):
                        at = (step, dp, op)
                        start[at] = max((end[step, dp, before] for before in self.before[op]), default=0.0) + delay(at)
                        if op not in self.groups:
                            end[at] = start[at] + duration(at)
                for op in node:
                    for dp in range(self.dp) if op in self.groups else ():
                        at = (step, dp, op)
                        end[at] = max(start[member] for member in self.members(*at)) + transfer(at)
            full[step] = max(end.values()) - min(start.values())
            opt[step] = max(time for at, time in end.items() if at[2].type == "optimizer")
        return full, opt


def merged_type(type_):
    return type_.rsplit("-", 1)[0] + "-pp-comm" if type_ in P2P else type_


def answers(rows, dsp_size, chosen_steps=None):
    job = Job(rows, dsp_size)
    steps = [step for step in job.steps if chosen_steps is None or step in chosen_steps]
    rows_at = [at for at in job.start if at[0] in set(steps)]
    measured = (lambda at: job.duration[at], lambda at: job.transfer[at])
    ideal = {}
    for type_ in {op.type for op in job.ops}:
        source = job.transfer if Op(type_, 0, next(op.stage for op in job.ops if op.type == type_)) in job.groups else job.duration
        values = [source[at] for at in rows_at if at[2].type == type_]
        ideal[type_] = mean(values) if type_ in MEAN_TYPES else statistics.median(values)

    def mixed(is_measured):
        """The ideal, but for the operations that are measured."""
        return [lambda at, of=of: of(at) if is_measured(at) else ideal[at[2].type] for of in measured]

    base = {}
    for step in steps:
        starts = [job.start[at] for at in rows_at if at[0] == step]
        base[step] = float32(max(job.end[at] for at in rows_at if at[0] == step) - min(starts))
    full_n, opt_n = job.replay(steps, *measured)
    full_i, opt_i = job.replay(steps, *mixed(lambda at: False))
    of = lambda times: mean(list(times.values()))
    result = {"step_t_base": base, "step_t_nodelay": full_n, "step_t_noblk": full_i,
              "launch_slowdown": of(base) / of(opt_n), "blocking_slowdown": of(full_n) / of(opt_i),
              "launch_step_slowdown": {step: base[step] / opt_n[step] for step in steps},
              "blocking_step_slowdown": {step: full_n[step] / opt_i[step] for step in steps}}

    def first_or_type(at):
        op = at[2]
        is_first = op.seq == 0 and (op.type == FORWARD if op.stage == 0 else op.type == "forward-recv")
        return "first-op" if is_first else merged_type(op.type)

    keys = {"dp_rank": lambda at: str(at[1]), "stage": lambda at: str(at[2].stage),
            "optype": lambda at: merged_type(at[2].type)}
    launch_keys = {**keys, "optype": first_or_type}

    def decompose(name, key_of, replay_of, reference, wanted):
        result[name] = result[name + "_per_step"] = None
        if not wanted:
            return
        result[name], result[name + "_per_step"] = {}, {step: {} for step in steps}
        for key in sorted({key_of(at) for at in rows_at}):
            _, opt = replay_of(key)
            result[name][key] = of(opt) / of(reference)
            for step in steps:
                result[name + "_per_step"][step][key] = opt[step] / reference[step]

    for name in keys:
        decompose(f"blocking_decompose_by_{name}", keys[name],
                  lambda key: job.replay(steps, *mixed(lambda at: keys[name](at) == key)), opt_i,
                  result["blocking_slowdown"] >= THRESHOLD)
        decompose(f"launch_decompose_by_{name}", launch_keys[name],
                  lambda key: job.replay(steps, *measured,
                                         lambda at: job.delay[at] if launch_keys[name](at) == key else 0.0), opt_n,
                  result["launch_slowdown"] >= THRESHOLD)

    def explain(is_chosen):
        tori, tideal = of(full_n), of(full_i)
        trem = of(job.replay(steps, *mixed(lambda at: not is_chosen(at)))[0])
        tadd = of(job.replay(steps, *mixed(is_chosen))[0])
        gain = tori - tideal if abs(tori - tideal) > 1e-12 * tori else 0  # no more than sums in another order differ by
        return {"tori": tori, "tideal": tideal, "trem": trem, "tadd": tadd,
                "rem": (tori - trem) / gain if gain else None, "add": (tadd - tideal) / gain if gain else None}

    result["ms"] = explain(lambda at: at[2].stage == job.pp - 1)
    result["mw"] = None
    if by_dp := result["blocking_decompose_by_dp_rank"]:
        by_stage = result["blocking_decompose_by_stage"]
        scores = {rank: min(by_dp[str(dp)], by_stage[str(stage)]) for (dp, stage), rank in job.rank.items()}
        top = sorted(scores, key=lambda rank: (-scores[rank], rank))[:math.ceil(3 * len(scores) / 100)]
        result["rank_scores"] = {str(rank): score for rank, score in scores.items()}
        result["mw"] = explain(lambda at: job.rank[at[1], at[2].stage] in top)
    return result
