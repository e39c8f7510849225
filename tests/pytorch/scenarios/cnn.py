"""Trains a small convolutional network on one device, with cuDNN's convolutions and batch normalisation."""

import argparse
import time

import torch
from torch import nn

import calm_end
from phase_times import PhaseTimes


def make_model(layers):
    stages = [nn.Conv2d(3, 32, 3, bias=False), nn.BatchNorm2d(32), nn.ReLU()]
    for _ in range(layers):
        stages += [nn.Conv2d(32, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU()]
    stages += [nn.Conv2d(32, 64, 3, stride=2, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
    return nn.Sequential(*stages, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


def train(steps, layers, device):
    times = PhaseTimes()
    torch.manual_seed(0)
    model = make_model(layers).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    pictures = torch.linspace(0, 1, 16 * 3 * 64 * 64).view(16, 3, 64, 64)
    labels = torch.arange(16) % 10
    for number in range(1, steps + 1):
        with times.step(number):
            with times.phase("h2d"):
                batch, answers = pictures.to(device), labels.to(device)
            with times.phase("forward"):
                loss = nn.functional.cross_entropy(model(batch), answers)
            with times.phase("backward"):
                loss.backward()
            with times.phase("optim_step"):
                optimizer.step()
            with times.phase("zero_grad_sched"):
                optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        model(pictures.to(device))
    return loss.item()


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--layers", type=int, default=0, help="layers between the first and the last")
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    start = time.perf_counter()
    print(f"loss {train(options.steps, options.layers, device):.4f}")
    print(f"trained {options.steps} steps")
    print(f"seconds {time.perf_counter() - start:.6f}")


if __name__ == "__main__":
    main()
