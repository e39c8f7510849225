"""Trains with torch.compile in several ways, on the processor; prints what Dynamo counted, one JSON object."""

import argparse
import json
import time

import calm_end
import torch
import torch._dynamo
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Training:
    """`way`: what is compiled."""

    def __init__(self, way, backend):
        torch.manual_seed(0)
        self.model = nn.Sequential(*[nn.Sequential(nn.Linear(16, 16), nn.ReLU()) for _ in range(3)])
        self.loss = nn.MSELoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 5)
        if way == "model":
            self.model = torch.compile(self.model, backend=backend)
        elif way == "model-in-place":
            self.model.compile(backend=backend)
        elif way == "step":
            self.step = torch.compile(self.step, backend=backend)
        elif way == "optimizer-step":
            self.optimizer.step = torch.compile(self.optimizer.step, backend=backend)
        elif way == "update":
            self.update = torch.compile(self.update, backend=backend)
        elif way == "breaks":
            self.step = torch.compile(self.step_with_breaks, backend=backend)
        elif way == "making":
            self.step = torch.compile(self.step_that_makes_an_optimizer, backend=backend)

    def run(self, data):
        return [self.step(x, y).item() for x, y in DataLoader(data, batch_size=4)]

    def update(self):
        self.optimizer.step()

    def step(self, x, y):
        loss = self.loss(self.model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.update()
        self.optimizer.zero_grad()
        return loss

    def step_with_breaks(self, x, y):
        loss = self.loss(self.model(x), y)
        torch._dynamo.graph_break()
        with torch.profiler.record_function("backward"):
            loss.backward()
        print("", end="")
        self.optimizer.step()
        self.scheduler.step()
        self.optimizer.zero_grad()
        try:
            self.model(x[:, :2])
        except RuntimeError:
            torch._dynamo.graph_break()
        return loss

    def step_that_makes_an_optimizer(self, x, y):
        loss = self.loss(self.model(x), y)
        torch._dynamo.graph_break()
        torch.optim.SGD(self.model.parameters(), lr=1e-3)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss


def start_recorder():
    torch.zeros(1, device="cuda")
    for _ in range(10):
        torch.cuda.synchronize()
        time.sleep(0.01)


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser()
    parser.add_argument("way")
    parser.add_argument("--backend", default="eager")
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--first", action="store_true", help="train before the recorder starts as well")
    options = parser.parse_args()
    losses = []
    if not options.first:
        start_recorder()
    training = Training(options.way, options.backend)
    data = TensorDataset(torch.randn(4 * options.steps, 16), torch.randn(4 * options.steps, 16))
    if options.first:
        losses += training.run(data)
        start_recorder()
    losses += training.run(data)
    counters = torch._dynamo.utils.counters
    counted = {name: dict(counters[name]) for name in ("frames", "stats", "graph_break", "unimplemented")}
    print(json.dumps({"losses": losses, **counted}))


if __name__ == "__main__":
    main()
