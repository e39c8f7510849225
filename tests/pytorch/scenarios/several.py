"""One process that trains in unusual places: on several devices by nn.DataParallel, in a thread, in four threads that
share a device."""

import argparse
import threading

import calm_end
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

from phase_times import PhaseTimes

FEATURES, CLASSES, BATCH = 256, 10, 32
DEVICE = torch.device("cuda")


def network(layers=12):
    stages = [nn.Linear(FEATURES, 512), nn.GELU()]
    for _ in range(layers):
        stages += [nn.Linear(512, 512), nn.LayerNorm(512), nn.GELU()]
    return nn.Sequential(*stages, nn.Linear(512, CLASSES)).to(DEVICE)


def train(model, steps, times, first=1):
    """The steps of several threads have the numbers `first`, `first + steps` … in their order of time."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    data = TensorDataset(torch.randn(BATCH * steps, FEATURES), torch.randint(CLASSES, (BATCH * steps,)))
    batches = iter(DataLoader(data, BATCH))
    for number in range(first, first + steps):
        with times.step(number):
            with times.phase("dataload_wait"):
                inputs, labels = next(batches)
            with times.phase("h2d"):
                inputs, labels = inputs.to(DEVICE), labels.to(DEVICE)
            with times.phase("forward"):
                loss = functional.cross_entropy(model(inputs), labels)
            with times.phase("backward"):
                loss.backward()
            with times.phase("optim_step"):
                optimizer.step()
            with times.phase("zero_grad_sched"):
                optimizer.zero_grad()


def data_parallel(steps):
    train(nn.DataParallel(network()), steps, PhaseTimes())


def in_thread(steps):
    thread = threading.Thread(target=train, args=(network(), steps, PhaseTimes()))
    thread.start()
    thread.join()


def four_threads(steps):
    times = [PhaseTimes() for _ in range(4)]
    each = steps // 4
    threads = [threading.Thread(target=train, args=(network(4), each, one, 1 + number * each))
               for number, one in enumerate(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times[-1].lines = [line for one in times for line in one.lines]  # all write to one file, the last one first
    for one in times[:-1]:
        one.lines = times[-1].lines


def main():
    calm_end.at_exit()
    ways = {"data-parallel": data_parallel, "in-thread": in_thread, "four-threads": four_threads}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("way", choices=ways)
    parser.add_argument("--steps", type=int, default=12, help="of all threads together")
    options = parser.parse_args()
    ways[options.way](options.steps)
    torch.cuda.synchronize()
    print(f"trained {options.steps} steps")


if __name__ == "__main__":
    main()
