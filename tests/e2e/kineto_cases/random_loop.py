"""A training loop assembled at random from the parts of real ones. A number always gives the same loop.

Loops whose steps cannot be known are left out (docs/what-fools-inference.md): data that is on the device from the
start, optimizers without known kernels on one thread or with two networks.
"""

import random

from plain_loop import LARGE, NET, OTHER, setup
from training_program import LERP_LISTS, NATIVE, UNSCALE, UPDATE_SCALE, ZERO_LISTS, elementwise

MEAN = f"{NATIVE}reduce_kernel<512, 1, MeanOps>"
AVERAGES = {"lists": [LERP_LISTS] * 2, "one by one": [elementwise("MulFunctor"), elementwise("ema_add")] * 6}
NORM_OF_ONE = f"{NATIVE}reduce_kernel<512, 1, NormTwoOps>"


class RandomLoop:
    def __init__(self, number):
        choose = random.Random(number).choice
        self.random = random.Random(number + 1)
        self.optimizer = choose(["fused", "fused", "foreach", "foreach", "plain", "sgd"])
        self.has_autograd = self.optimizer != "fused" or choose([True, True, False])
        self.networks = choose([(NET,), (LARGE,), (OTHER,)])
        if self.optimizer != "plain" and self.has_autograd and choose([True, False, False, False]):
            self.networks += (OTHER if self.networks[0] is not OTHER else NET,)
        self.steps = choose([10, 14, 25])
        self.batches = choose([1, 1, 1, 2, 4, 8])
        self.copies = choose([1, 2, 3])
        self.load_us = choose([30, 120, 400])
        self.jitter = choose([0, 0.3, 1])
        self.zeros = choose([None, None, "fills first", "fills last", "lists first", "lists last"])
        self.clips = choose([None, None, "lists", "one by one"])
        self.scales = len(self.networks) == 1 and choose([True, False, False, False])
        self.skips = self.scales and choose([True, False])
        self.averages = choose([None, None, None, "lists", "one by one"])
        self.loss_every = choose([0, 0, 1, 5, 10])
        self.reads_loss_after_update = choose([True, False])
        self.has_metric = choose([True] + 6 * [False])
        self.evaluate_every, self.evaluated = choose([0, 0, 0, 3, 5, 7]), choose([2, 6, 30])
        self.checkpoint_every = choose([0, 0, 0, 4, 9])
        self.draws_noise = choose([True] + 9 * [False])
        self.sync = choose([None, None, None, "cudaDeviceSynchronize", "cudaStreamSynchronize"])

    def __str__(self):
        return ", ".join(f"{name} {value}" for name, value in vars(self).items()
                         if value and name not in ("random", "networks"))

    def play(self, p):
        setup(p)
        for step in range(self.steps):
            p.step()
            self._step(p, step)

    def _step(self, p, step):
        network, *others = self.networks
        for batch in range(self.batches):
            self._load(p, batch)
            p.forward(network)
            if not self.reads_loss_after_update:
                self._read_loss(p, step)
            p.backward(network)
        self._update(p, step)
        for other in others:
            p.train(other)
            p.update()
        self._after_update(p, step)

    def _load(self, p, batch):
        p.pause(round(self.load_us * (1 + self.jitter * self.random.random())))
        if self.zeros == "fills first" and batch == 0:
            p.fill(6)
        p.h2d(self.copies)
        if self.zeros == "lists first" and batch == 0:
            p.kernel(ZERO_LISTS)
        if self.draws_noise:
            p.kernel(f"{NATIVE}distribution_normal_kernel")

    def _read_loss(self, p, step):
        if is_due(step, self.loss_every):
            p.kernel(MEAN)
            p.read_back()

    def _update(self, p, step):
        if self.scales:
            p.kernel(UNSCALE)
        if self.clips == "lists":
            p.clip()
        elif self.clips:
            p.kernel(*[NORM_OF_ONE] * 8, f"{NATIVE}CatArrayBatchedCopy", NORM_OF_ONE, *[elementwise("MulFunctor")] * 8)
        if self.scales:
            p.read_back()
        if not (self.skips and step in (0, 7)):
            p.update()
        if self.scales:
            p.kernel(UPDATE_SCALE)

    def _after_update(self, p, step):
        if self.zeros == "lists last":
            p.kernel(ZERO_LISTS)
        if self.zeros == "fills last":
            p.fill(6)
        if self.averages:
            p.pause(12)
            p.kernel(*AVERAGES[self.averages])
        if self.has_metric:
            p.kernel(MEAN, elementwise("sqrt"))
        if self.reads_loss_after_update:
            self._read_loss(p, step)
        if self.sync:
            p.sync(self.sync)
        if is_due(step, self.evaluate_every):
            p.evaluate(self.networks[0], self.evaluated)
        if is_due(step, self.checkpoint_every):
            p.d2h(30)
            p.sync()
            p.pause(10_000)


def is_due(step, every):
    return every > 0 and step % every == every - 1
