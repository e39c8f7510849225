"""Training loops whose updates are unusual: an averaged model, an optimizer that calls back, a critic with batches of
its own, updates that a loss scale forbids, optimizers that are the program's own.

Where such a loop branches on values, the host writes them: devices may be simulated.
"""

import copy

import torch
from torch.nn import functional

from training_loop import CLASSES, FEATURES, Loop, train_one_of


class ModelAverage(Loop):
    """timm's ModelEMA: a copy of the model follows the model, tensor by tensor, and is evaluated at times."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.average = copy.deepcopy(self.model).eval()

    @torch.no_grad()
    def follow(self):
        for mean, value in zip(self.average.state_dict().values(), self.model.state_dict().values()):
            mean.copy_(0.99 * mean + 0.01 * value)

    def step(self, number):
        loss = self.train_batch(*self.fetch())
        with self.times.phase("other"):
            self.follow()
        if number % 4 == 0:
            inputs, labels = self.fetch()
            with self.times.phase("other"), torch.no_grad():
                functional.cross_entropy(self.average(inputs), labels)
        self.read(loss)

    def train_batch(self, inputs, labels):
        loss = self.loss(inputs, labels)
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()
        with self.times.phase("backward"):
            loss.backward()
        with self.times.phase("optim_step"):
            self.optimizer.step()
        return loss


class CallingBack(Loop):
    """L-BFGS on weights that live on the host: it computes the loss as often as it likes."""

    def make_optimizer(self):
        self.weights = [parameter.detach().cpu().requires_grad_() for parameter in self.model.parameters()]
        return torch.optim.LBFGS(self.weights, lr=0.1, max_iter=3, history_size=2)

    def step(self, number):
        inputs, labels = self.fetch()

        def closure():
            with self.times.phase("optim_step"), torch.no_grad():  # no input, but weights
                for parameter, weights in zip(self.model.parameters(), self.weights):
                    parameter.copy_(weights)
            loss = self.loss(inputs, labels)
            with self.times.phase("backward"):
                loss.backward()
            with self.times.phase("zero_grad_sched"):
                self.model.zero_grad()
            for weights in self.weights:  # the gradients of another loss, by the host
                weights.grad = number * weights.detach()
            return sum(number * weights.detach().square().sum() / 2 for weights in self.weights)

        with self.times.phase("optim_step"):
            self.optimizer.step(closure)


class CriticAhead(Loop):
    """A critic has five batches and updates for each of the generator."""

    AHEAD = 5

    def __init__(self, options, device):
        super().__init__(options, device)
        self.critic = self.network(options.layers // 4)
        self.critic_optimizer = torch.optim.RMSprop(self.critic.parameters(), lr=1e-3)

    def make(self, inputs):
        return torch.tanh(self.model(inputs)).repeat(1, FEATURES // CLASSES + 1)[:, :FEATURES]

    def update(self, optimizer, loss):
        with self.times.phase("backward"):
            loss.backward()
        with self.times.phase("optim_step"):
            optimizer.step()

    def step(self, number):
        for _ in range(self.AHEAD):
            inputs, labels = self.fetch()
            with self.times.phase("zero_grad_sched"):
                self.critic_optimizer.zero_grad()
            with self.times.phase("forward"):
                with torch.no_grad():
                    made = self.make(inputs)
                loss = functional.cross_entropy(self.critic(made), labels) - self.critic(inputs).mean()
            self.update(self.critic_optimizer, loss)
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()
        with self.times.phase("forward"):
            loss = self.critic(self.make(inputs)).mean()
        self.update(self.optimizer, loss)


class Overflowing(Loop):
    """Half precision; the first three and every fifth update are skipped, because gradients are not finite."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.scaler = torch.amp.GradScaler(device.type)

    def step(self, number):
        inputs, labels = self.fetch()
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()
        with torch.autocast(self.device.type, dtype=torch.float16):
            loss = self.loss(inputs, labels)
        with self.times.phase("backward"):
            self.scaler.scale(loss).backward()
        with self.times.phase("unscale_clip"):
            self.scaler.unscale_(self.optimizer)
            found = float(number <= 3 or number % 5 == 0)
            for on_device in self.scaler._found_inf_per_device(self.optimizer).values():
                on_device.copy_(torch.tensor(found))
        with self.times.phase("optim_step"):
            self.scaler.step(self.optimizer)
            self.scaler.update()


class SignOfMomentum(torch.optim.Optimizer):
    """Lion, in plain tensor operations."""

    def __init__(self, parameters, lr):
        super().__init__(parameters, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                state = self.state[parameter]
                if not state:
                    state["mean"] = torch.zeros_like(parameter)
                parameter.add_(torch.sign(0.9 * state["mean"] + 0.1 * parameter.grad), alpha=-group["lr"])
                state["mean"].mul_(0.99).add_(parameter.grad, alpha=0.01)


class OwnOptimizer(Loop):
    def make_optimizer(self):
        return SignOfMomentum(self.model.parameters(), 1e-4)

    def step(self, number):
        inputs, labels = self.fetch()
        loss = self.loss(inputs, labels)
        with self.times.phase("backward"):
            loss.backward()
        with self.times.phase("optim_step"):
            self.optimizer.step()
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()


class NoOptimizer(Loop):
    """Subtracts the gradients itself, and sets them to None.

    No function of PyTorch's says that this is an update, so tauprof has no phase for it: `other`. A range would name it.
    """

    def make_optimizer(self):
        return None

    def step(self, number):
        inputs, labels = self.fetch()
        loss = self.loss(inputs, labels)
        with self.times.phase("backward"):
            loss.backward()
        with self.times.phase("other"), torch.no_grad():
            for parameter in self.model.parameters():
                parameter -= 1e-3 * parameter.grad
                parameter.grad = None


LOOPS = {"model-average": ModelAverage, "calling-back": CallingBack, "critic-ahead": CriticAhead,
         "overflowing": Overflowing, "own-optimizer": OwnOptimizer, "no-optimizer": NoOptimizer}

if __name__ == "__main__":
    train_one_of(LOOPS, __doc__)
