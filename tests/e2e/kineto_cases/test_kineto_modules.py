"""Time by module and line: what a backward pass does counts for the module and the line whose gradient it computes."""

from kineto_trace import AUTOGRAD, MAIN, Trace

ENGINE = "autograd::engine::evaluate_function: "


def function(trace, name, start, end, tid=MAIN):
    trace.event("python_function", name, start, end, tid)


def operator(trace, name, start, end, sequence=None, forward_thread=0, tid=MAIN):
    args = {} if sequence is None else {"Sequence number": sequence, "Fwd thread id": forward_thread}
    trace.event("cpu_op", name, start, end, tid, **args)


def layer(trace, name, start, sequence, kernel, tid=MAIN):
    """A module of 200 µs, with a kernel of 100 µs from `kernel` on. The operator before it has its number, too."""
    function(trace, f"nn.Module: {name}", start, start + 200, tid)
    operator(trace, "aten::empty", start + 10, start + 20, sequence, tid=tid)
    operator(trace, "aten::linear", start + 30, start + 190, sequence, tid=tid)
    operator(trace, "aten::addmm", start + 40, start + 180, sequence, tid=tid)
    trace.kernel(kernel, kernel + 100, launch=(start + 50, start + 60), tid=tid)


def gradient(trace, start, sequence, kernel, forward_thread=1, length=90):
    """Of a layer: a kernel of 200 µs from `kernel` on."""
    operator(trace, f"{ENGINE}AddmmBackward0", start, start + length, sequence, forward_thread, AUTOGRAD)
    operator(trace, "AddmmBackward0", start + 5, start + length - 5, sequence, forward_thread, AUTOGRAD)
    operator(trace, "aten::mm", start + 10, start + 40, tid=AUTOGRAD)
    trace.kernel(kernel, kernel + 200, launch=(start + 20, start + 30), tid=AUTOGRAD)


def step_of_two_layers(layers=("Linear_1", "Linear_2")):
    trace = Trace()
    trace.begin_in_the_midst()
    trace.step(1, 0, 10_000)
    function(trace, "train.py(3): main", 0, 10_000)
    function(trace, "torch/nn/modules/module.py(1518): _call_impl", 15, 890)
    function(trace, "train.py(12): loss_of", 20, 880)
    function(trace, "nn.Module: GPT_0", 30, 870)
    layer(trace, layers[0], 100, 5, 500)
    layer(trace, layers[1], 400, 6, 700)
    return trace


def times(rows, key="device_ns"):
    return {row["name"]: row[key] / 1000 for row in rows if row[key]}


def test_a_backward_pass_counts_for_the_modules_of_its_forward_operators(report):
    trace = step_of_two_layers()
    gradient(trace, 1_000, 6, 1_100)
    gradient(trace, 1_100, 5, 1_300)
    operator(trace, f"{ENGINE}torch::autograd::AccumulateGrad", 1_200, 1_290, tid=AUTOGRAD)
    trace.kernel(1_500, 1_550, launch=(1_210, 1_220), tid=AUTOGRAD)
    trace.kernel(2_000, 2_025, launch=(1_900, 1_910))
    found = report(trace)
    assert times(found["modules"]) == {"GPT_0": 600, "GPT_0.Linear_1": 300, "GPT_0.Linear_2": 300, "backward": 50,
                                       None: 25}
    assert times(found["modules"], "self_device_ns") == {"GPT_0.Linear_1": 300, "GPT_0.Linear_2": 300, "backward": 50,
                                                         None: 25}
    assert times(found["lines"]) == {"train.py:3 main": 625, "train.py:12 loss_of": 600, "backward": 50}
    assert times(found["lines"], "self_device_ns") == {"train.py:12 loss_of": 600, "train.py:3 main": 25,
                                                       "backward": 50}
    assert times(found["operators"])["aten::linear"] == 200
    assert times(found["operators"])["aten::mm"] == times(found["operators"])["AddmmBackward0"] == 400
    assert times(found["operators"])[None] == 25


def test_a_backward_pass_of_no_known_operators_is_backward(report):
    trace = step_of_two_layers()
    gradient(trace, 1_000, 17, 1_100)
    found = report(trace)
    assert times(found["modules"]) == {"GPT_0": 200, "GPT_0.Linear_1": 100, "GPT_0.Linear_2": 100, "backward": 200}


def test_what_is_computed_once_more_counts_for_the_same_module(report):
    """Checkpointing: inside the gradient of the block, autograd's thread runs its layer again, and then its gradient."""
    trace = step_of_two_layers(("Block_1", "Block_2"))
    operator(trace, f"{ENGINE}CheckpointFunctionBackward", 1_000, 2_000, 6, 1, AUTOGRAD)
    operator(trace, "CheckpointFunctionBackward", 1_005, 1_990, 6, 1, AUTOGRAD)
    function(trace, "nn.Module: Block_2", 1_050, 1_950, AUTOGRAD)
    layer(trace, "Linear_9", 1_100, 70, 1_200, AUTOGRAD)
    gradient(trace, 1_400, 70, 1_500, forward_thread=2)
    found = report(trace)
    assert times(found["modules"]) == {"GPT_0": 500, "GPT_0.Block_1": 100, "GPT_0.Block_2": 400,
                                       "GPT_0.Block_2.Linear_9": 300}


def test_a_name_that_is_on_a_path_twice_counts_once(report):
    trace = Trace()
    trace.begin_in_the_midst()
    trace.step(1, 0, 10_000)
    for depth in range(3):
        function(trace, "tree.py(7): walk", 10 + depth, 900 - depth)
        operator(trace, "aten::add", 20 + depth, 800 - depth)
    trace.kernel(200, 300, launch=(100, 110))
    found = report(trace)
    for table, name in (("lines", "tree.py:7 walk"), ("operators", "aten::add")):
        assert [(row["name"], row["self_device_ns"], row["device_ns"]) for row in found[table] if row["device_ns"]] == [
            (name, 100_000, 100_000)]


def test_waiting_is_where_the_host_is(report):
    trace = step_of_two_layers()
    function(trace, "train.py(30): log", 1_000, 3_000)
    operator(trace, "aten::item", 1_010, 2_990)
    trace.kernel(1_100, 2_500, launch=(1_020, 1_025))
    trace.call("cudaStreamSynchronize", 1_100, 2_510)
    function(trace, "data.py(8): read", 3_100, 5_900)
    trace.kernel(6_000, 6_100, launch=(5_980, 5_985))
    found = report(trace)
    blocked, idle = times(found["lines"], "blocked_ns"), times(found["lines"], "idle_ns")
    assert blocked == {"train.py:3 main": 1_400, "train.py:30 log": 1_400}
    assert times(found["operators"], "self_blocked_ns") == {"aten::item": 1_400}
    assert 2_790 <= idle["data.py:8 read"] <= 2_800 < idle["train.py:3 main"]
    host = times(found["lines"], "host_ns")
    assert (host["data.py:8 read"], host["train.py:12 loss_of"]) == (2_800, 860)
