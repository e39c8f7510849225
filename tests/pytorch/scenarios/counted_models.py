"""Trains one of several models on one device, or (--count) says what PyTorch's own counter makes of a step.

    counted_models.py gpt --attention eager --checkpoint reentrant
    counted_models.py gpt --attention eager --count

The counter's hooks see every operator, so it runs in a process of its own, without recomputation unless that is asked
for: then it counts what is executed.
"""

import argparse
import contextlib
import os

import torch
from torch import nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

import calm_end

WORDS, LENGTH, WIDTH, HEADS, LAYERS, BATCH = 1000, 256, 256, 4, 3, 4
IMAGES, PIXELS = 8, 64

BACKENDS = {"math": SDPBackend.MATH, "flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION,
            "cudnn": SDPBackend.CUDNN_ATTENTION}


class Block(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.attention = attention
        self.before_attention = nn.LayerNorm(WIDTH)
        self.mix = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.before_mlp = nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def attend(self, query, key, value):
        if self.attention != "eager":
            with sdpa_kernel(BACKENDS[self.attention]):
                return functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
        mask = torch.ones_like(scores[0, 0], dtype=torch.bool).tril()
        return scores.masked_fill(~mask, float("-inf")).softmax(-1).to(value.dtype) @ value

    def forward(self, hidden):
        batch, length, width = hidden.shape
        mixed = self.mix(self.before_attention(hidden)).view(batch, length, 3, HEADS, width // HEADS)
        attended = self.attend(*mixed.permute(2, 0, 3, 1, 4))
        hidden = hidden + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        return hidden + self.mlp(self.before_mlp(hidden))


class Adapted(nn.Module):
    """A frozen linear layer and two narrow ones that train (LoRA)."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer.requires_grad_(False)
        self.down = nn.Linear(layer.in_features, 8, bias=False)
        self.up = nn.Linear(8, layer.out_features, bias=False)

    def forward(self, hidden):
        return self.layer(hidden) + self.up(self.down(hidden))


class Gpt(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.checkpoint = options.checkpoint
        self.words = nn.Embedding(WORDS, WIDTH)
        self.positions = nn.Parameter(torch.zeros(options.length, WIDTH))
        self.blocks = nn.ModuleList(Block(options.attention) for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, WORDS, bias=False)
        if options.model == "lora":
            self.requires_grad_(False)
            self.positions.requires_grad_()  # a reentrant checkpoint needs an input with a gradient
            for block in self.blocks:
                block.mix, block.out = Adapted(block.mix), Adapted(block.out)

    def forward(self, words):
        hidden = self.embedded = self.words(words) + self.positions
        for block in self.blocks:
            if self.checkpoint == "none":
                hidden = block(hidden)
            else:
                hidden = checkpoint(block, hidden, use_reentrant=self.checkpoint == "reentrant")
        return self.head(self.norm(hidden))


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, image):
        return functional.relu(image + self.layers(image))


class Convolutions(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.checkpoint = options.checkpoint
        self.stem = nn.Conv2d(3, 32, 7, stride=2, padding=3, bias=False)
        self.blocks = nn.ModuleList(Residual(32) for _ in range(2))
        self.wider = nn.Conv2d(32, 64, 3, stride=2, padding=1)  # PyTorch counts groups as one in gradients of weights
        self.head = nn.Linear(64, WORDS)

    def forward(self, image):
        hidden = self.stem(image)
        for block in self.blocks:
            if self.checkpoint == "none":
                hidden = block(hidden)
            else:
                hidden = checkpoint(block, hidden, use_reentrant=self.checkpoint == "reentrant")
        return self.head(self.wider(hidden).mean((2, 3)))


class Training:
    def __init__(self, options):
        torch.manual_seed(0)
        torch.use_deterministic_algorithms(options.deterministic)
        self.options = options
        is_of_images = options.model == "convolutions"
        self.model = (Convolutions if is_of_images else Gpt)(options).cuda()
        self.optimizer = torch.optim.AdamW(p for p in self.model.parameters() if p.requires_grad)
        shape = (IMAGES, 3, PIXELS, PIXELS) if is_of_images else (BATCH, options.length)
        self.input = torch.randn(shape) if is_of_images else torch.randint(WORDS, shape)
        self.wanted = torch.randint(WORDS, shape[:1] if is_of_images else shape).cuda()

    def step(self):
        given = self.input.cuda()
        cast = torch.autocast("cuda", torch.bfloat16) if self.options.precision == "bf16" else contextlib.nullcontext()
        with cast:
            predicted = self.model(given)
            loss = functional.cross_entropy(predicted.reshape(-1, WORDS), self.wanted.reshape(-1))
            if self.options.penalty:
                [gradient] = torch.autograd.grad(loss, self.model.embedded, create_graph=True)
                loss = loss + gradient.square().mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=["gpt", "lora", "convolutions"])
    parser.add_argument("--attention", default="eager", choices=["eager", *BACKENDS])
    parser.add_argument("--length", type=int, default=LENGTH, help="of a text, in tokens")
    parser.add_argument("--deterministic", action="store_true")
    parser.add_argument("--checkpoint", default="none", choices=["none", "reentrant", "rerun"])
    parser.add_argument("--penalty", action="store_true", help="of a decoder: on the gradient of its first layer's input")
    parser.add_argument("--precision", default="bf16", choices=["bf16", "fp32"])
    parser.add_argument("--count", action="store_true", help="print the operations of a step, by PyTorch's counter")
    parser.add_argument("--trace", metavar="FILE", help="profile the steps by PyTorch's profiler, with shapes")
    parser.add_argument("--steps", type=int, default=6)
    return parser.parse_args()


def profiler_of(options):
    if not options.trace:
        return contextlib.nullcontext()
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    return torch.profiler.profile(activities=activities, record_shapes=True)


def main():
    calm_end.at_exit()
    options = parse_options()
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # what deterministic algorithms ask for
    training = Training(options)
    if options.count:
        with FlopCounterMode(display=False) as counter:
            training.step()
        print("flops", counter.get_total_flops())
        return
    with profiler_of(options) as profiler:
        for _ in range(options.steps):
            training.step()
            if options.trace:
                profiler.step()
        torch.cuda.synchronize()
    if options.trace:
        profiler.export_chrome_trace(options.trace)


if __name__ == "__main__":
    main()
