"""Trains stacks of small layers, each for some seconds: launch_rates.py SECONDS WIDTH... [--profile].

Prints, for each width, steps a second and launches a step as a line of JSON. The narrower the layers, the shorter the
kernels. With --profile, PyTorch's own profiler runs; what it does with its records afterwards is not timed.
"""

import argparse
import contextlib
import json
import time

import torch

LAYERS, WARM_UP, CHUNK = 12, 20, 10


class Training:
    def __init__(self, width):
        layers = [layer for _ in range(LAYERS) for layer in (torch.nn.Linear(width, width), torch.nn.ReLU())]
        self.model = torch.nn.Sequential(*layers).cuda()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), fused=True)
        self.inputs = torch.randn(256, width, device="cuda")

    def steps(self, count):
        for _ in range(count):
            self.optimizer.zero_grad(set_to_none=True)
            self.model(self.inputs).square().mean().backward()
            self.optimizer.step()
        torch.cuda.synchronize()


def launches_per_step(training):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        training.steps(CHUNK)
    device = torch.autograd.DeviceType.CUDA
    return sum(event.device_type == device for event in profiler.events()) / CHUNK


def measure(width, seconds, is_profiled):
    training = Training(width)
    training.steps(WARM_UP)
    done = 0
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) if is_profiled else contextlib.nullcontext():
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            training.steps(CHUNK)
            done += CHUNK
        took = time.perf_counter() - start
    # Only after the measurement, and only in the profiled run: a profiler leaves CUPTI switched on.
    return {"steps_per_s": done / took, "launches_per_step": launches_per_step(training) if is_profiled else 0}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float)
    parser.add_argument("widths", type=int, nargs="+")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    for width in options.widths:
        print(json.dumps(measure(width, options.seconds, options.profile)), flush=True)


if __name__ == "__main__":
    main()
