"""Training on one device in several ways; prints what it counted itself, one JSON object.

The counts are what a log must have as marks. Without a device it trains on the CPU, as a bare run of `--compile` does.
"""

import argparse
import copy
import inspect
import json
import os
import pickle
import sys
import threading
import traceback

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_  # bound before the recorder looks
from torch.utils.data import DataLoader, TensorDataset

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python -I leaves it out
import calm_end  # noqa: E402


class Training:
    def __init__(self, options, device):
        torch.manual_seed(0)
        self.device = device
        self.model = nn.Sequential(*[nn.Sequential(nn.Linear(16, 16), nn.ReLU()) for _ in range(4)]).to(device)
        self.loss = nn.MSELoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 5)
        data = TensorDataset(torch.randn(4 * options.steps, 16), torch.randn(4 * options.steps, 16))
        self.loader = DataLoader(data, batch_size=4)
        self.step = self.plain_step
        if options.compile == "model":
            self.model.compile(backend="eager")
        elif options.compile == "step":
            self.step = torch.compile(self.plain_step, backend="eager")
        elif options.compile == "update":
            self.update = torch.compile(self.update, backend="eager")

    def update(self):
        self.optimizer.step()

    def plain_step(self, x, y):
        loss = self.loss(self.model(x), y)
        loss.backward()
        clip_grad_norm_(self.model.parameters(), 1.0)
        self.update()
        self.scheduler.step()
        self.optimizer.zero_grad()

    def run(self):
        steps = 0
        for x, y in self.loader:
            self.step(x.to(self.device), y.to(self.device))
            steps += 1
        return steps


def error_of(function, *arguments):
    """The last lines of a traceback: what a user reads."""
    try:
        function(*arguments)
    except Exception as error:  # pylint: disable=broad-except
        frames = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        return [frames[-1], type(error).__name__, str(error)]
    return []


def what_may_not_change():
    """The facts that a program can learn about the functions that are watched."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    functions = [torch.autograd.backward, torch.Tensor.backward, torch.nn.Module.__call__, clip_grad_norm_, torch.save,
                 torch.optim.Optimizer.zero_grad, type(optimizer).step, torch.autograd.profiler.record_function.__enter__]
    return {
        "signatures": [str(inspect.signature(function)) for function in functions],
        "specifications": [str(inspect.getfullargspec(function)) for function in functions],
        "sources": [len(inspect.getsource(function)) for function in functions],
        "pickled": [pickle.loads(pickle.dumps(function)) is function for function in functions[:1] + functions[3:5]],
        "copied": [copy.deepcopy(function) is function for function in functions],
        "errors": [error_of(torch.autograd.backward, torch.zeros(2)), error_of(nn.Linear(2, 2), torch.zeros(3)),
                   error_of(torch.save), error_of(clip_grad_norm_)],
    }


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--compile", choices=("model", "step", "update"))
    parser.add_argument("--in-thread", action="store_true", help="train in a thread, with the main thread blocked")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.zeros(1, device=device)
    counted = {}
    if options.in_thread:
        torch.cuda.synchronize()
        threading.Event().wait(0.1)

        def train():
            threading.Event().wait(2.5)  # longer than the recorder waits for the main thread
            counted["steps"] = Training(options, device).run()

        thread = threading.Thread(target=train)
        thread.start()
        thread.join()  # no instruction of the main thread until the end
    else:
        counted["steps"] = Training(options, device).run()
    with torch.profiler.record_function("the user's own"):
        torch.zeros(1, device=device)
    counted.update(what_may_not_change())
    if options.compile:
        counters = torch._dynamo.utils.counters
        counted["frames"], counted["stats"] = dict(counters["frames"]), dict(counters["stats"])
        counted["breaks"] = dict(counters["graph_break"])
    print(json.dumps(counted))


if __name__ == "__main__":
    main()
