"""Trains while other tools look at the functions that the recorder watches, or others have replaced them.

Prints what the tools saw, one JSON object. `--first`: the tools start before the first CUDA call.
"""

import argparse
import collections
import cProfile
import functools
import json
import pstats
import sys

import torch
import torch._dynamo  # optimizers import it; what that calls depends on the hashes of this process

import calm_end
from marked import Training, error_of


class Monitoring:
    """A coverage tool that asks for each line once, and a debugger that sees every exception."""

    def __init__(self):
        self.seen = collections.Counter()
        self.codes = (torch.autograd.backward.__code__, torch.nn.Module._wrapped_call_impl.__code__,
                      torch.optim.Optimizer.zero_grad.__wrapped__.__code__)

    def start(self):
        monitoring, events = sys.monitoring, sys.monitoring.events
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "lines")
        monitoring.use_tool_id(monitoring.DEBUGGER_ID, "exceptions")
        for event in (events.LINE, events.PY_START, events.PY_RETURN):
            monitoring.register_callback(monitoring.COVERAGE_ID, event, functools.partial(self.see, event))
        for event in (events.RAISE, events.PY_UNWIND, events.PY_THROW):
            monitoring.register_callback(monitoring.DEBUGGER_ID, event, functools.partial(self.see, event))
        for code in self.codes:
            monitoring.set_local_events(monitoring.COVERAGE_ID, code, events.LINE | events.PY_START | events.PY_RETURN)
        monitoring.set_events(monitoring.DEBUGGER_ID, events.RAISE | events.PY_UNWIND | events.PY_THROW)

    def see(self, event, code, *_):
        self.seen[f"{event} {code.co_filename} {code.co_qualname}"] += 1
        return sys.monitoring.DISABLE if event == sys.monitoring.events.LINE else None

    def stop(self):
        for tool in (sys.monitoring.COVERAGE_ID, sys.monitoring.DEBUGGER_ID):
            sys.monitoring.set_events(tool, 0)
            sys.monitoring.free_tool_id(tool)
        return self.seen


class Trace:
    """The calls and lines that a debugger or a coverage tool sees."""

    def __init__(self):
        self.seen = collections.Counter()

    def start(self):
        sys.settrace(self.see)

    def see(self, frame, event, _):
        self.seen[f"{event} {frame.f_code.co_filename} {frame.f_code.co_name}"] += 1
        return self.see

    def stop(self):
        sys.settrace(None)
        return self.seen


class Profile:
    def __init__(self):
        self.profile = cProfile.Profile()

    def start(self):
        self.profile.enable()

    def stop(self):
        self.profile.disable()
        return {" ".join(map(str, function)): calls for function, (_, calls, *_) in
                pstats.Stats(self.profile).stats.items() if function[0] != "~"}


class Patches:
    """Functions in the place of PyTorch's: with and without a trace of the old one, and one with its name."""

    def __init__(self):
        self.seen = collections.Counter()

    def start(self):
        backward, clear, step = torch.autograd.backward, torch.optim.Optimizer.zero_grad, torch.optim.AdamW.step

        def counted_backward(*arguments, **named):
            self.seen["backward"] += 1
            return backward(*arguments, **named)

        @functools.wraps(clear)
        def counted_clear(optimizer, set_to_none=True):
            self.seen["zero_grad"] += 1
            return clear(optimizer, set_to_none)

        def counted_step(optimizer, closure=None):
            self.seen["step"] += 1
            return step(optimizer, closure)

        functools.update_wrapper(counted_step, step)
        del counted_step.__wrapped__
        torch.autograd.backward, torch.optim.Optimizer.zero_grad = counted_backward, counted_clear
        torch.optim.AdamW.step = counted_step

    def stop(self):
        return self.seen


class Freed(Profile):
    """Takes the tools of others away."""

    def stop(self):
        for tool in (3, 4):
            sys.monitoring.free_tool_id(tool)
            sys.monitoring.use_tool_id(tool, "taken")
            for event in (sys.monitoring.events.PY_START, sys.monitoring.events.PY_RETURN):
                sys.monitoring.register_callback(tool, event, None)
        return super().stop()


TOOLS = {"monitoring": Monitoring, "trace": Trace, "profile": Profile, "patches": Patches, "freed": Freed}


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--steps", type=int, default=6)
    options = parser.parse_args()
    options.compile = None
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tool = TOOLS[options.tool]()
    if options.tool == "patches":  # PyTorch puts a function of its own around the step when an optimizer is made
        torch.optim.AdamW([torch.zeros(1, requires_grad=True)])
    if options.first:
        tool.start()
    torch.zeros(1, device=device)
    torch.cuda.synchronize()
    training = Training(options, device)
    if not options.first:
        tool.start()
    steps = training.run()
    if options.tool == "monitoring":
        sys.monitoring.restart_events()
        steps += training.run()
    errors = [error_of(torch.autograd.backward, torch.zeros(2)), error_of(torch.nn.Linear(2, 2), torch.zeros(3))]
    seen = tool.stop()
    steps += training.run()
    print(json.dumps({"steps": steps, "errors": errors, "seen": seen}))


if __name__ == "__main__":
    main()
