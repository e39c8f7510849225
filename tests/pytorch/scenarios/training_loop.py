"""The common parts of small training loops: a network, its optimizer, batches, time stamps, options."""

import argparse
import time

import torch
from torch import nn
from torch.nn import functional

import calm_end
from phase_times import PhaseTimes

FEATURES, CLASSES = 512, 10


class Loop:
    """The common part: a network, its optimizer, and batches that take `load_ms` to make."""

    def __init__(self, options, device):
        self.options = options
        self.device = device
        self.times = PhaseTimes()
        torch.manual_seed(0)
        self.model = self.network(options.layers)
        self.optimizer = self.make_optimizer()
        self.scheduler = self.optimizer and torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=100)

    def make_optimizer(self):
        kinds = {"foreach": {"foreach": True}, "plain": {"foreach": False}, "fused": {"fused": True}}
        return torch.optim.AdamW(self.model.parameters(), lr=1e-3, **kinds[self.options.optimizer])

    def network(self, layers):
        stages = [nn.Linear(FEATURES, 512), nn.LayerNorm(512), nn.GELU()]
        for _ in range(layers):
            stages += [nn.Linear(512, 512), nn.LayerNorm(512), nn.GELU()]
        return nn.Sequential(*stages, nn.Linear(512, CLASSES)).to(self.device)

    def fetch(self):
        with self.times.phase("dataload_wait"):
            time.sleep(self.options.load_ms / 1e3)
            inputs, labels = torch.rand(64, FEATURES), torch.randint(CLASSES, (64,))
        with self.times.phase("h2d"):
            return inputs.to(self.device), labels.to(self.device)

    def loss(self, inputs, labels):
        with self.times.phase("forward"):
            return functional.cross_entropy(self.model(inputs), labels)

    def read(self, loss):
        with self.times.phase("sync_gather"):
            return loss.item()

    def clip(self, parameters):
        with self.times.phase("unscale_clip"):
            nn.utils.clip_grad_norm_(parameters, 1.0, foreach=self.options.optimizer != "plain")

    def train(self):
        for number in range(1, self.options.steps + 1):
            with self.times.step(number):
                self.step(number)

    def step(self, number):
        raise NotImplementedError


def parse_options(loops, description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loop", choices=loops)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--layers", type=int, default=24)
    parser.add_argument("--load-ms", type=float, default=0, help="time that making a batch sleeps")
    parser.add_argument("--optimizer", default="foreach", choices=["plain", "foreach", "fused"])
    parser.add_argument("--set-to-none", action="store_true", help="clear gradients by setting them to None")
    parser.add_argument("--in-backward", action="store_true", help="with one-by-one: update inside the backward pass")
    return parser.parse_args()


def train_one_of(loops, description):
    calm_end.at_exit()
    options = parse_options(loops, description)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loop = loops[options.loop](options, device)
    start = time.perf_counter()
    loop.train()
    if device.type == "cuda":
        torch.cuda.synchronize()
    print(f"trained {options.steps} steps")
    print(f"seconds {time.perf_counter() - start:.6f}")
