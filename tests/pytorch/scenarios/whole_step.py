"""Training in which each step is one CUDA graph, the all-reduces of the gradients in it. A job of messages.py.

Rank 1 multiplies more, so the others wait for it.
"""

import torch
import torch.distributed as dist
from torch import nn

WIDTH, BATCH, EAGER = 512, 64, 3


class WholeStep:
    def __init__(self, rank, device):
        self.rank = rank
        torch.manual_seed(1)
        self.model = nn.Sequential(*(nn.Linear(WIDTH, WIDTH) for _ in range(4))).to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), fused=True, capturable=True)
        self.inputs = torch.zeros(BATCH, WIDTH, device=device)
        self.extra = torch.zeros(2048, 2048, device=device)

    def step(self):
        self.model(self.inputs).square().mean().backward()
        if self.rank == 1:
            for _ in range(8):
                self.extra @ self.extra
        for parameter in self.model.parameters():
            dist.all_reduce(parameter.grad)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=False)


def train_with_whole_steps(options, rank, world, device):
    trained = WholeStep(rank, device)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(EAGER):
            trained.step()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        trained.step()
    for _ in range(options.steps):
        trained.inputs.copy_(torch.ones(BATCH, WIDTH))
        graph.replay()
