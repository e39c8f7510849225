"""torch.compile on a device: of the model, of one whose sizes change, of one that leaves its graph, of the model with CUDA
graphs, of the whole step, of the update alone."""

import torch

from training_loop import Loop, train_one_of


class Compiled(Loop):
    def step(self, number):
        inputs, labels = self.fetch()
        loss = self.loss(inputs, labels)
        with self.times.phase("backward"):
            loss.backward()
        with self.times.phase("optim_step"):
            self.update()
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()

    def update(self):
        self.optimizer.step()


class Model(Compiled):
    def __init__(self, options, device):
        super().__init__(options, device)
        self.model = torch.compile(self.model)


class ChangingSizes(Compiled):
    """Every six steps batches have another size, and what is compiled fits one size."""

    def __init__(self, options, device):
        super().__init__(options, device)
        self.model = torch.compile(self.model, dynamic=False)
        self.dropped = 0

    def fetch(self):
        inputs, labels = super().fetch()
        return inputs[self.dropped:], labels[self.dropped:]

    def step(self, number):
        self.dropped = 8 * (number // 6)
        super().step(number)


class Leaving(Compiled):
    """Half way through the model, it does something that no graph can hold."""

    def __init__(self, options, device):
        super().__init__(options, device)
        model, middle = self.model, len(self.model) // 2

        def forward(inputs):
            halfway = model[:middle](inputs)
            torch._dynamo.graph_break()
            return model[middle:](halfway)

        self.model = torch.compile(forward)


class ReduceOverhead(Compiled):
    def __init__(self, options, device):
        super().__init__(options, device)
        self.model = torch.compile(self.model, mode="reduce-overhead")


class Update(Compiled):
    def __init__(self, options, device):
        super().__init__(options, device)
        self.update = torch.compile(self.update)


class WholeStep(Loop):
    def __init__(self, options, device):
        super().__init__(options, device)
        self.compute = torch.compile(self.compute)

    def compute(self, inputs, labels):
        torch.nn.functional.cross_entropy(self.model(inputs), labels).backward()
        self.optimizer.step()
        self.optimizer.zero_grad()

    def step(self, number):
        self.compute(*self.fetch())


LOOPS = {"model": Model, "changing-sizes": ChangingSizes, "leaving": Leaving,
         "reduce-overhead": ReduceOverhead, "update": Update, "whole-step": WholeStep}

if __name__ == "__main__":
    train_one_of(LOOPS, __doc__)
