"""Training loops of one process, as users write them. The argument names one."""

import sys

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 8, sparse=True)
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))
        self.head = nn.Linear(8, 4)
        self.unused = nn.Sequential(nn.Linear(8, 3), nn.LayerNorm(3))
        self.silent = nn.Linear(8, 4)
        self.frozen = nn.Linear(8, 8).requires_grad_(False)
        self.same = nn.Module()
        self.same.weight = self.head.weight

    def forward(self, tokens):
        x = self.frozen(self.embed(tokens))
        for layer in self.layers:
            x = layer(x)
        return self.head(x) + 0 * self.silent(x)


def step(model, optimizer, inputs):
    optimizer.zero_grad()
    loss = model(inputs).square().mean()
    loss.backward()
    optimizer.step()
    print(f"loss {loss.item():.6f}")


def plain():
    net, teacher = Net(), nn.Linear(3, 3)
    optimizer = torch.optim.SGD([p for name, p in net.named_parameters() if not name.startswith("layers.1.")], lr=0.1)
    for _ in range(3):
        step(net, optimizer, torch.arange(5))
    return teacher


def clean():
    net = nn.Linear(4, 4)
    sys.modules["torch.optim.optimizer"].register_optimizer_step_post_hook(lambda *_: print("the program's own hook"))
    for kind, more in ((torch.optim.AdamW, {"fused": True}), (torch.optim.AdamW, {"foreach": True})):
        step(net, kind(net.parameters(), **more), torch.ones(2, 4))
    print(torch.autograd.backward.__module__, torch.autograd.backward.__closure__)


def compiled():
    net = torch.compile(nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1)), backend="aot_eager")
    step(net, torch.optim.Adam(net.parameters()), torch.ones(2, 4))


def accumulated():
    net = nn.ModuleDict({"always": nn.Linear(4, 4), "first": nn.Linear(4, 4)})
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net["first"](net["always"](torch.ones(4))).sum().backward()
    net["always"](torch.ones(4)).sum().backward()
    optimizer.step()


def adversarial():
    """Each model has its own backward pass and optimizer. The second optimizer steps first in the third iteration."""
    critic, maker = nn.Linear(4, 1), nn.Sequential(nn.Linear(2, 4), nn.Linear(4, 4))
    of_critic, of_maker = torch.optim.RMSprop(critic.parameters()), torch.optim.RMSprop(maker.parameters())
    for iteration in range(3):
        of_critic.zero_grad()
        critic(maker[0](torch.ones(2)).detach()).sum().backward()
        of_critic.step()
        if iteration == 2:
            of_maker.zero_grad()
            critic(maker[0](torch.ones(2))).sum().backward()
            of_maker.step()
        print("iteration", iteration, file=sys.stderr)


def scaled():
    """The first gradients overflow, so that the scaler skips the first step."""
    net = nn.Linear(4, 1)
    optimizer, scaler = torch.optim.SGD(net.parameters(), lr=0.1), torch.amp.GradScaler("cpu", init_scale=2.0**100)
    for factor in (1e30, 1.0):
        optimizer.zero_grad()
        scaler.scale(net(torch.full((4,), factor)).sum()).backward()
        scaler.step(optimizer)
        scaler.update(2.0)
        print("after a step", file=sys.stderr)


def closure():
    """The backward passes run inside the step, which clears the gradients at its end."""
    net = nn.ModuleList([nn.Linear(4, 1), nn.Linear(4, 1)])

    class Clearing(torch.optim.SGD):
        def step(self, closure=None):
            loss = super().step(closure)
            self.zero_grad()
            return loss

    optimizer = Clearing(net.parameters(), lr=0.1)

    def forward_backward():
        loss = net[0](torch.ones(4)).sum()
        loss.backward()
        return loss

    optimizer.step(forward_backward)


def in_backward():
    """Each parameter has an optimizer, which steps as soon as the gradient is there and clears the gradient."""
    net = nn.ModuleList([nn.Linear(4, 1), nn.Linear(4, 1)])
    optimizers = {parameter: torch.optim.SGD([parameter], lr=0.1) for parameter in net.parameters()}

    def step_at_once(parameter):
        optimizers[parameter].step()
        optimizers[parameter].zero_grad()

    for parameter in net.parameters():
        parameter.register_post_accumulate_grad_hook(step_at_once)
    for _ in range(12):
        net[0](torch.ones(4)).sum().backward()


def old():
    """Runs without the hooks that PyTorch 2.0 and 2.1 introduced."""
    sys.path.insert(0, sys.argv[2])
    del sys.modules["torch.optim.optimizer"].register_optimizer_step_post_hook
    del torch.Tensor.register_post_accumulate_grad_hook
    import tauprof_audit
    tauprof_audit.start()
    plain()


def no_step():
    nn.Linear(4, 1)(torch.ones(4)).sum().backward()


def crashing():
    net = nn.ModuleList([nn.Linear(4, 1), nn.Linear(4, 1)])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net[0](torch.ones(4)).sum().backward()
    optimizer.step()
    raise SystemExit(7)


torch.manual_seed(0)
globals()[sys.argv[1]]()
