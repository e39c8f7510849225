"""A program's view of how PyTorch's functions are called: frames, lines, depth, errors; one JSON object."""

import argparse
import copy
import inspect
import io
import json
import logging
import os
import pickle
import signal
import sys
import threading
import time
import traceback
import warnings

import calm_end
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

WATCHED = [torch.autograd.backward, torch.autograd.grad, nn.Module._wrapped_call_impl, nn.Module.zero_grad, torch.save,
           inspect.unwrap(torch.optim.Optimizer.zero_grad), torch.optim.Optimizer._patch_step_function,
           torch.optim.lr_scheduler.LRScheduler.step, inspect.unwrap(nn.utils.clip_grad_norm_),
           torch.autograd.profiler.record_function.__enter__]
IS_UNCHANGED = sys.version_info[:2] != (3, 11)  # where code has to report its own calls


def facts_of_code(code):
    return [code.co_name, code.co_firstlineno, code.co_argcount, code.co_flags, code.co_varnames, code.co_names,
            code.co_freevars, sorted({line for _, _, line in code.co_lines() if line} if hasattr(code, "co_lines") else [])]


CODES = [function.__code__ for function in WATCHED]
FACTS = [facts_of_code(code) for code in CODES]


def place(frame):
    """A line of a program or of PyTorch, without what differs between installations."""
    return f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name if hasattr(frame, 'name') else frame.function}"


def stack_here():
    """The same stack, seen in four ways."""
    depth, frame = 0, sys._getframe(1)
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return {"extracted": [place(frame) for frame in traceback.extract_stack()],
            "inspected": [place(frame) for frame in inspect.stack(context=0)], "depth": depth,
            "module": sys._getframe(4).f_globals["__name__"]}


def error_of(function, *arguments, **named):
    """The traceback, line by line."""
    try:
        function(*arguments, **named)
    except BaseException as error:  # pylint: disable=broad-except
        lines = [place(frame) + ": " + (frame.line or "") for frame in traceback.extract_tb(error.__traceback__)]
        return lines + [traceback.format_exception_only(type(error), error)[-1]]
    return ["no error"]


class Looking(nn.Module):
    """Calls something at its place inside of the forward pass, and inside of the backward pass."""

    def __init__(self, look):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))
        self.look = look

    def forward(self, x):
        self.look()
        return self.weight * x


class LookingBack(torch.autograd.Function):
    @staticmethod
    def forward(context, x, look):
        context.look = look
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        context.look()
        return gradient, None


class LookingItems(Dataset):
    def __init__(self, look):
        self.look = look

    def __len__(self):
        return 2

    def __getitem__(self, item):
        self.look()
        return torch.ones(1)


class LookingStep(torch.optim.SGD):
    def __init__(self, parameters, look):
        super().__init__(parameters, lr=0.1)
        self.look = look

    def step(self, closure=None):
        self.look()
        return super().step(closure)


class LookingWhenPickled:
    def __init__(self, look):
        self.look = look

    def __reduce__(self):
        self.look()
        return (int, ())


def calls_with(look):
    """{name: a call in which `look` is called from inside of functions that are watched}"""
    model, x = Looking(look), torch.ones(1)
    parameters = list(model.parameters())
    optimizer = LookingStep(parameters, look)
    plain = torch.optim.SGD(parameters, lr=0.1)
    quiet = nn.Linear(1, 1)

    def backward():
        (LookingBack.apply(parameters[0], look) * 2).sum().backward()

    def rate(_):
        look()
        return 1.0

    def closure():
        look()
        return 0.0

    scheduler = torch.optim.lr_scheduler.LambdaLR(plain, lambda _: 1.0)
    scheduler.lr_lambdas = [rate]
    return {
        "forward": lambda: model(x),
        "forward_by_name": lambda: model(x=x),
        "nested": lambda: nn.Sequential(nn.Sequential(quiet), model)(x),
        "backward": backward,
        "grad": lambda: torch.autograd.grad(LookingBack.apply(parameters[0], look).sum(), parameters),
        "fetch": lambda: list(DataLoader(LookingItems(look))),
        "step": optimizer.step,
        "closure": lambda: plain.step(closure),
        "schedule": scheduler.step,
        "save": lambda: torch.save({"x": LookingWhenPickled(look)}, io.BytesIO()),
    }


def stacks():
    found = {}
    for name in calls_with(lambda: None):
        seen = []
        calls_with(lambda: seen.append(stack_here()))[name]()  # pylint: disable=cell-var-from-loop
        found[name] = seen
    return found


def fail():
    raise ValueError("from inside")


def interrupt():
    signal.raise_signal(signal.SIGINT)
    time.sleep(0.001)


def errors():
    found = {"raised": {name: error_of(call) for name, call in calls_with(fail).items()},
             "interrupted": {name: error_of(call) for name, call in calls_with(interrupt).items()}}
    zeros = torch.zeros(2, requires_grad=True)
    found["own"] = [error_of(torch.autograd.backward, torch.zeros(2)), error_of(nn.Linear(2, 2), torch.zeros(3)),
                    error_of(torch.save), error_of(nn.utils.clip_grad_norm_), error_of(zeros.backward),
                    error_of(nn.utils.clip_grad_norm_, [zeros], float("nan"), norm_type="none"),
                    error_of(torch.save, {}, "/no/such/folder/file"), error_of(torch.optim.SGD, []),
                    error_of(torch.autograd.grad, zeros.sum(), [torch.zeros(1)])]
    return found


def warned():
    """Where warnings and log lines come from, for callers 1 to 8 frames away; and what filters by module make of them."""
    places = []
    for level in range(1, 9):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            for call in calls_with(lambda: warnings.warn("here", stacklevel=level)).values():  # pylint: disable=cell-var-from-loop
                call()
        places += [f"{os.path.basename(warning.filename)}:{warning.lineno}" for warning in seen]
    records = []
    logger = logging.Logger("own")
    handler = logging.Handler()
    handler.emit = lambda record: records.append(f"{record.filename}:{record.lineno} {record.funcName}")
    logger.addHandler(handler)
    for level in range(1, 9):
        for call in calls_with(lambda: logger.warning("here", stacklevel=level)).values():  # pylint: disable=cell-var-from-loop
            call()
    filtered = []
    for module in ("__main__", r"torch\.nn\.modules\.module", r"torch\.optim\..*", r"torch\.autograd.*"):
        for level in (2, 3, 4):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                warnings.filterwarnings("error", module=module)
                look = lambda: warnings.warn("here", stacklevel=level)  # noqa: E731  # pylint: disable=cell-var-from-loop
                filtered += [error_of(call)[-1] for call in calls_with(look).values()]
    return {"places": places, "records": records, "filtered": filtered}


class Tree(nn.Module):
    def __init__(self, child=None):
        super().__init__()
        self.child = child

    def forward(self, x):
        return x if self.child is None else self.child(x)


MOST = 250  # calls in each other


class Nest:
    """Each calls the next one through a function that is watched."""

    def __init__(self):
        self.optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1)
        self.left = 0

    def steps(self):
        self.left -= 1
        if self.left > 0:
            self.optimizer.step(self.steps)

    def ranges(self):
        self.left -= 1
        if self.left > 0:
            with torch.autograd.profiler.record_function("nested"):
                self.ranges()


def deepest(call, limit):
    """The most calls in each other that fit into the limit of recursion, and what is said of one more."""
    low, high = 1, MOST - 1
    while low < high:
        middle = (low + high + 1) // 2
        if "RecursionError" in error_in_limit(call, limit, middle)[-1]:
            high = middle - 1
        else:
            low = middle
    return low, error_in_limit(call, limit, low + 1)[-12:]


def error_in_limit(call, limit, times):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    try:
        return error_of(call, times)
    finally:
        sys.setrecursionlimit(before)


def recursion():
    trees = [None]
    for _ in range(MOST):
        trees.append(Tree(trees[-1]))
    x, nest = torch.ones(1), Nest()

    def many(function):
        def call(times):
            nest.left = times
            function()
        return call

    calls = {"forward": lambda times: trees[times](x), "steps": many(nest.steps), "ranges": many(nest.ranges)}
    return {name: [deepest(call, limit) for limit in range(200, 206)] for name, call in calls.items()}


def chain(length):
    root = None
    for _ in range(length):
        root = Tree(root)
    return root


def deep():
    """Far deeper than usual, where a program has raised the limit. From 3.12 on, calls through C have one of their own."""
    lengths = (100, 1500) if sys.version_info < (3, 12) else (100,)
    return [error_in_limit(chain(length), 100000, torch.ones(1))[-1] for length in lengths]


def copies():
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    pickled = [pickle.loads(pickle.dumps(thing)) for thing in (model, optimizer, optimizer.state_dict())]
    copied = [copy.copy(optimizer), copy.deepcopy(optimizer), copy.deepcopy(model), copy.copy(model)]
    copied[1].step()
    copied[1].zero_grad()
    pickled[1].step()
    return {
        "types": [type(thing).__name__ for thing in pickled + copied],
        "sizes": [len(pickle.dumps(thing)) for thing in (optimizer.state_dict(), torch.autograd.backward, torch.save)],
        "functions": [[copy.deepcopy(function) is function, str(inspect.signature(function)),
                       inspect.getsourcelines(function)[1], sorted(vars(function)), function.__defaults__ is None,
                       function.__closure__ is None, function.__module__, function.__qualname__] for function in WATCHED],
        "globals": sorted({name for function in WATCHED for name in function.__globals__ if "tauprof" in name}),
        "facts": all(facts_of_code(function.__code__) == facts for function, facts in zip(WATCHED, FACTS)),
        "codes": not IS_UNCHANGED or all(function.__code__ is code for function, code in zip(WATCHED, CODES)),
        "constants": all(pickle.loads(pickle.dumps(constant)) is not copies for function in WATCHED
                         for constant in function.__code__.co_consts if not inspect.iscode(constant)),
    }


def threads():
    """Passes in threads at once, which fail and succeed in turn."""
    found = [None] * 4

    def train(number):
        calls, failing = calls_with(lambda: None), calls_with(fail)
        found[number] = [error_of((failing if i % 2 else calls)[name])[-1] for i in range(6) for name in
                         ("forward", "backward", "step")]

    workers = [threading.Thread(target=train, args=(number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return found


KEPT = []


def keep_frames():
    """Keeps all frames of the stack, with what is in them, until the end of the process."""
    KEPT.append(sys._getframe())
    try:
        fail()
    except ValueError as error:
        KEPT.append(error)


def ends():
    """Calls that end in unusual ways: [the mark of the outermost one, when it started, when it had ended]"""
    marks = {"forward": "forward", "forward_by_name": "forward", "nested": "forward", "backward": "backward",
             "grad": "backward", "fetch": "fetch", "step": "update", "closure": "update", "schedule": "schedule",
             "save": "save"}
    found = []

    def time_of(name, call, *arguments):
        began = time.monotonic_ns()
        error_of(call, *arguments)
        found.append([name, began, time.monotonic_ns()])
        time.sleep(0.002)

    for look in (fail, interrupt, keep_frames, lambda: None):
        for name, call in calls_with(look).items():
            time_of(marks[name], call)
    time_of("clip", nn.utils.clip_grad_norm_, [torch.zeros(2, requires_grad=True)], 1.0, "wrong")
    time_of("zero_grad", nn.Linear(1, 1).zero_grad)
    for length in (10, 200):
        time_of("forward", lambda: error_in_limit(chain(length), 150, torch.ones(1)))  # pylint: disable=cell-var-from-loop
    return found


LOOKS = {"stacks": stacks, "errors": errors, "warned": warned, "recursion": recursion, "deep": deep, "copies": copies,
         "threads": threads, "ends": ends}


def take_tools():
    """Those of sys.monitoring that have no meaning of their own."""
    for tool in (3, 4):
        sys.monitoring.use_tool_id(tool, "the program's")


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser()
    parser.add_argument("looks", choices=LOOKS, nargs="+")
    parser.add_argument("--take-tools", action="store_true")
    options = parser.parse_args()
    if options.take_tools:
        take_tools()
    torch.zeros(1, device="cuda")
    for _ in range(10):
        torch.cuda.synchronize()
        time.sleep(0.02)
    print(json.dumps({look: LOOKS[look]() for look in options.looks}))


if __name__ == "__main__":
    main()
