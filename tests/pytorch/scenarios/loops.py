"""Training loops in the style of several code bases, all with the same small network.

They differ in when gradients are cleared, where the loss is read, what comes between backward and the update, and when
the next batch is fetched.
"""

import torch
from torch import nn
from torch.nn import functional

from training_loop import CLASSES, FEATURES, Loop, train_one_of


class ZeroFirst(Loop):
    """PyTorch's own tutorials: gradients are cleared before the pass, and the loss is read in every step."""

    def step(self, number):
        inputs, labels = self.fetch()
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad(set_to_none=self.options.set_to_none)
        loss = self.loss(inputs, labels)
        with self.times.phase("backward"):
            loss.backward()
        with self.times.phase("optim_step"):
            self.optimizer.step()
        self.read(loss)


class LossInTheMiddle(Loop):
    """Reads the loss before the backward pass, to stop if it is not finite."""

    def step(self, number):
        inputs, labels = self.fetch()
        loss = self.loss(inputs, labels)
        self.read(loss)
        with self.times.phase("backward"):
            loss.backward()
        self.clip(self.model.parameters())
        with self.times.phase("optim_step"):
            self.optimizer.step()
        with self.times.phase("zero_grad_sched"):
            self.scheduler.step()
            self.optimizer.zero_grad()


class LossBeforeUpdate(Loop):
    """Reads the loss between the backward pass and the update."""

    def step(self, number):
        inputs, labels = self.fetch()
        loss = self.loss(inputs, labels)
        with self.times.phase("backward"):
            loss.backward()
        self.read(loss)
        with self.times.phase("optim_step"):
            self.optimizer.step()
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()


class Ahead(Loop):
    """nanoGPT: the next batch is fetched while the device computes forward; gradients are accumulated and scaled."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.scaler = torch.amp.GradScaler(device.type)
        self.batch = None

    def step(self, number):
        if self.batch is None:
            self.batch = self.fetch()
        for _ in range(2):
            with torch.autocast(self.device.type, dtype=torch.float16):
                loss = self.loss(*self.batch) / 2
            self.batch = self.fetch()
            with self.times.phase("backward"):
                self.scaler.scale(loss).backward()
        with self.times.phase("unscale_clip"):
            self.scaler.unscale_(self.optimizer)
        self.clip(self.model.parameters())
        with self.times.phase("optim_step"):
            self.scaler.step(self.optimizer)
            self.scaler.update()
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()
        if number % 4 == 0:
            self.read(loss)


class Closure(Loop):
    """Lightning: the optimizer calls a closure, which computes the loss and clears the gradients."""

    def step(self, number):
        inputs, labels = self.fetch()

        def closure():
            loss = self.loss(inputs, labels)
            with self.times.phase("zero_grad_sched"):
                self.optimizer.zero_grad()
            with self.times.phase("backward"):
                loss.backward()
            return loss

        with self.times.phase("optim_step"):
            self.optimizer.step(closure)
        with self.times.phase("zero_grad_sched"):
            self.scheduler.step()


class AlternatingUpdates(Loop):
    """A generator and its critic, each with its own optimizer."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.critic = self.network(options.layers // 2)
        self.critic_optimizer = torch.optim.AdamW(self.critic.parameters(), lr=1e-3)

    def update(self, optimizer, loss):
        with self.times.phase("backward"):
            loss.backward()
        with self.times.phase("optim_step"):
            optimizer.step()
        with self.times.phase("zero_grad_sched"):
            optimizer.zero_grad()

    def step(self, number):
        inputs, labels = self.fetch()
        with self.times.phase("forward"):
            made = torch.tanh(self.model(inputs)).repeat(1, FEATURES // CLASSES + 1)[:, :FEATURES]
            judged = functional.cross_entropy(self.critic(made.detach()), labels) + self.critic(inputs).square().mean()
        self.update(self.critic_optimizer, judged)
        with self.times.phase("forward"):
            fooled = functional.cross_entropy(self.critic(made), labels)
        self.update(self.optimizer, fooled)


class Averaged(Loop):
    """Keeps a moving average of the weights, and logs the norm of the gradients."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.average = [parameter.detach().clone() for parameter in self.model.parameters()]

    def step(self, number):
        inputs, labels = self.fetch()
        loss = self.loss(inputs, labels)
        with self.times.phase("backward"):
            loss.backward()
        self.clip(self.model.parameters())
        with self.times.phase("optim_step"):
            self.optimizer.step()
        with self.times.phase("other"), torch.no_grad():
            for mean, parameter in zip(self.average, self.model.parameters()):
                mean.lerp_(parameter, 0.01)
        with self.times.phase("zero_grad_sched"):
            self.scheduler.step()
            self.optimizer.zero_grad()
        if number % 3 == 0:
            self.read(loss)


class UpdatedOneByOne(Loop):
    """An optimizer per parameter, called after the backward pass or, to save memory, as soon as it has a gradient."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.optimizers = {parameter: torch.optim.AdamW([parameter], lr=1e-3, foreach=False)
                           for parameter in self.model.parameters()}
        if options.in_backward:
            for parameter in self.optimizers:
                parameter.register_post_accumulate_grad_hook(self.update)

    def update(self, parameter):
        self.optimizers[parameter].step()
        self.optimizers[parameter].zero_grad()

    def step(self, number):
        inputs, labels = self.fetch()
        loss = self.loss(inputs, labels)
        with self.times.phase("backward"):
            loss.backward()
        if self.options.in_backward:
            return
        with self.times.phase("optim_step"):
            for optimizer in self.optimizers.values():
                optimizer.step()
        with self.times.phase("zero_grad_sched"):
            for optimizer in self.optimizers.values():
                optimizer.zero_grad()


class Captured(Loop):
    """A graph of the whole step, captured after three eager steps, as in PyTorch's manual."""

    EAGER = 3

    def __init__(self, options, device):
        super().__init__(options, device)
        for group in self.optimizer.param_groups:
            group["capturable"] = True
        self.inputs = torch.zeros(64, FEATURES, device=device)
        self.labels = torch.zeros(64, dtype=torch.long, device=device)
        self.stream, self.graph = torch.cuda.Stream(), None

    def compute(self):
        functional.cross_entropy(self.model(self.inputs), self.labels).backward()
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=False)

    def step(self, number):
        inputs, labels = self.fetch()
        self.inputs.copy_(inputs)
        self.labels.copy_(labels)
        if number <= self.EAGER:
            with torch.cuda.stream(self.stream):
                self.compute()
            torch.cuda.current_stream().wait_stream(self.stream)
            return
        if self.graph is None:
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.compute()
        self.graph.replay()


LOOPS = {"zero-first": ZeroFirst, "loss-in-the-middle": LossInTheMiddle, "loss-before-update": LossBeforeUpdate,
         "ahead": Ahead, "closure": Closure, "alternating-updates": AlternatingUpdates, "averaged": Averaged,
         "one-by-one": UpdatedOneByOne, "captured": Captured}


if __name__ == "__main__":
    train_one_of(LOOPS, __doc__)
