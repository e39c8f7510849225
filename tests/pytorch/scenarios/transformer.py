"""Trains a small language model on one device, or under torchrun on several with DDP, FSDP2 or FSDP1.

    torchrun --nproc-per-node 4 transformer.py --parallel ddp

Evaluates and saves checkpoints between steps, as long jobs do.
"""

import argparse
import contextlib
import os
import time
from types import SimpleNamespace

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

import calm_end
from phase_times import PhaseTimes

WORDS = 1000


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before_attention = nn.LayerNorm(width)
        self.mix = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.before_mlp = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, hidden):
        batch, length, width = hidden.shape
        mixed = self.mix(self.before_attention(hidden)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        hidden = hidden + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        return hidden + self.mlp(self.before_mlp(hidden))


class LanguageModel(nn.Module):
    def __init__(self, width, layers, length, heads=4):
        super().__init__()
        self.config = SimpleNamespace(num_hidden_layers=layers, hidden_size=width, num_attention_heads=heads)
        self.words = nn.Embedding(WORDS, width)
        self.positions = nn.Parameter(torch.zeros(length, width))
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, WORDS, bias=False)

    def forward(self, tokens):
        hidden = self.words(tokens) + self.positions[:tokens.shape[1]]
        for block in self.blocks:
            hidden = block(hidden)
        return self.head(self.norm(hidden))


def distribute(model, parallel, device):
    if parallel == "ddp":
        return DistributedDataParallel(model, device_ids=[device.index] if device.type == "cuda" else None)
    if parallel == "fsdp1":
        from torch.distributed.fsdp import FullyShardedDataParallel
        from torch.distributed.fsdp.wrap import ModuleWrapPolicy
        return FullyShardedDataParallel(model, auto_wrap_policy=ModuleWrapPolicy({Block}), use_orig_params=True)
    if parallel == "fsdp2":
        from torch.distributed.fsdp import fully_shard
        for block in model.blocks:
            fully_shard(block)
        fully_shard(model)
    return model


class Trainer:
    def __init__(self, options, device):
        self.options = options
        self.device = device
        self.world = dist.get_world_size() if dist.is_initialized() else 1
        self.rank = dist.get_rank() if dist.is_initialized() else 0
        torch.manual_seed(0)
        model = LanguageModel(options.width, options.layers, options.length).to(device)
        self.model = distribute(model, options.parallel, device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.text = torch.randint(WORDS, (64, options.batch, options.length + 1),
                                  generator=torch.Generator().manual_seed(self.rank))
        self.times = PhaseTimes()

    def autocast(self):
        if self.options.precision == "fp32":
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, dtype=torch.bfloat16)

    def loss(self, tokens):
        with self.autocast():
            predicted = self.model(tokens[:, :-1])
            return functional.cross_entropy(predicted.reshape(-1, WORDS), tokens[:, 1:].reshape(-1))

    def backward(self, number):
        """Accumulates the gradients of a step; ranks exchange them only in its last micro-batch."""
        for part in range(self.options.accumulate):
            is_last = part == self.options.accumulate - 1
            waits = isinstance(self.model, DistributedDataParallel) and not is_last
            with self.times.phase("dataload_wait"):
                tokens = self.text[(number * self.options.accumulate + part) % len(self.text)]
                if self.options.shorter_every and number % self.options.shorter_every == 0:
                    tokens = tokens[:, :tokens.shape[1] // 2]
            with self.times.phase("h2d"):
                tokens = tokens.to(self.device)
            with self.model.no_sync() if waits else contextlib.nullcontext():
                with self.times.phase("forward"):
                    loss = self.loss(tokens) / self.options.accumulate
                with self.times.phase("backward"):
                    loss.backward()
        return loss.detach()

    def step(self, number):
        loss = self.backward(number)
        if self.options.clip:
            with self.times.phase("unscale_clip"):
                if self.options.parallel == "fsdp1":
                    self.model.clip_grad_norm_(self.options.clip)
                else:
                    nn.utils.clip_grad_norm_(self.model.parameters(), self.options.clip)
        with self.times.phase("optim_step"):
            self.optimizer.step()
        with self.times.phase("zero_grad_sched"):
            self.optimizer.zero_grad()
        return loss

    def log(self, number, loss):
        with self.times.phase("sync_gather"):
            if self.world > 1:
                dist.all_reduce(loss)
            loss = loss.item() / self.world
        self.say(f"step {number} loss", loss)

    def say(self, what, loss):
        """Simulated kernels compute nothing, so a loss is what its memory held before. FSDP1 takes memory that another
        stream has used as soon as the device is done with it: which block that is depends on time, and so would the
        loss."""
        if self.rank == 0:
            print(what, "" if self.options.parallel == "fsdp1" else f"{loss:.4f}")

    def evaluate(self):
        self.model.eval()
        losses = []
        with torch.no_grad():
            for tokens in self.text[:2]:
                with self.times.phase("h2d"):
                    tokens = tokens.to(self.device)
                losses.append(self.loss(tokens))
            mean = torch.stack(losses).mean()
        with self.times.phase("sync_gather"):
            mean = mean.item()
        self.model.train()
        self.say("evaluated: loss", mean)

    def save(self):
        state = get_model_state_dict(self.model, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
        if self.rank == 0:
            torch.save(state, self.options.checkpoint)
            print(f"saved {sum(value.numel() for value in state.values())} numbers")

    def train(self):
        for number in range(1, self.options.steps + 1):
            with self.times.step(number):
                loss = self.step(number)
                if self.options.log_every and number % self.options.log_every == 0:
                    self.log(number, loss)
                with self.times.phase("other"):
                    if self.options.evaluate_every and number % self.options.evaluate_every == 0:
                        self.evaluate()
                    if self.options.checkpoint and number % self.options.save_every == 0:
                        self.save()


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--length", type=int, default=64, help="words in a text")
    parser.add_argument("--shorter-every", type=int, default=0, help="steps between those with half of each text; 0: none")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--parallel", default="none", choices=["none", "ddp", "fsdp1", "fsdp2"])
    parser.add_argument("--precision", default="fp32", choices=["fp32", "bf16"])
    parser.add_argument("--clip", type=float, default=0, help="largest norm of the gradients; 0: no clipping")
    parser.add_argument("--accumulate", type=int, default=1, help="micro-batches per step of the optimizer")
    parser.add_argument("--log-every", type=int, default=4, help="steps between readings of the loss; 0: never")
    parser.add_argument("--evaluate-every", type=int, default=0, help="steps between evaluations; 0: never")
    parser.add_argument("--checkpoint", metavar="FILE", help="the file to save the model to")
    parser.add_argument("--save-every", type=int, default=6, help="steps between checkpoints")
    return parser.parse_args()


def main():
    calm_end.at_exit()
    options = parse_options()
    has_device = torch.cuda.is_available()
    device = torch.device("cpu")
    if has_device:
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count())
        torch.cuda.set_device(device)
    if options.parallel != "none":
        dist.init_process_group("nccl" if has_device else "gloo")
    trainer = Trainer(options, device)
    start = time.perf_counter()
    trainer.train()
    if has_device:
        torch.cuda.synchronize()
    if trainer.rank == 0:
        print(f"trained {options.steps} steps")
        print(f"seconds {time.perf_counter() - start:.6f}")
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
