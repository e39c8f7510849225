"""Trains a transformer, with one defect or without: training_steps.py SIZE [option...]. Without options it has none.

`large` is bound by its device, `small` by its host. The program imports PyTorch, says so, and waits for the file of
`--when` before it first uses the device, so that processes which are to run in turns can start together. Prints when each
step started, in ns of the monotonic clock and of the thread's CPU clock; then `measured`, the first clock when the device
had done the warm-up's work and when it had done the last, with the number of steps of the warm-up; and the CPU time of
each of the process's threads between.
"""

import argparse
import contextlib
import pathlib
import time

import torch
from torch.nn import functional

WARM_UP = 10
SIZES = {"large": {"layers": 12, "width": 768, "heads": 12, "length": 1024, "batch": 16, "vocabulary": 50304},
         "small": {"layers": 12, "width": 128, "heads": 2, "length": 64, "batch": 4, "vocabulary": 1024}}


class Block(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_mlp = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.to_qkv, self.from_heads = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.widen, self.narrow = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        split = self.to_qkv(self.before_attention(x)).view(batch, length, 3, self.heads, width // self.heads)
        attended = functional.scaled_dot_product_attention(*split.permute(2, 0, 3, 1, 4), is_causal=True)
        x = x + self.from_heads(attended.transpose(1, 2).reshape(batch, length, width))
        return x + self.narrow(functional.gelu(self.widen(self.before_mlp(x))))


class Transformer(torch.nn.Module):
    def __init__(self, layers, width, heads, length, vocabulary, reads_layers):
        super().__init__()
        self.tokens, self.places = torch.nn.Embedding(vocabulary, width), torch.nn.Embedding(length, width)
        self.blocks = torch.nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last_norm, self.head = torch.nn.LayerNorm(width), torch.nn.Linear(width, vocabulary, bias=False)
        self.reads_layers = reads_layers

    def forward(self, tokens):
        x = self.tokens(tokens) + self.places.weight[:tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
            if self.reads_layers:
                x.float().abs().mean().item()
        return self.head(self.last_norm(x))


class SlowTokens(torch.utils.data.Dataset):
    """Batches whose loading takes a while."""

    def __init__(self, batches, ms, shape, vocabulary):
        self.batches, self.ms, self.shape, self.vocabulary = batches, ms, shape, vocabulary

    def __len__(self):
        return self.batches

    def __getitem__(self, index):
        time.sleep(self.ms / 1e3)
        return torch.full(self.shape, index % self.vocabulary)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", choices=SIZES)
    parser.add_argument("--steps", type=int, default=30, help="after the warm-up")
    parser.add_argument("--seconds", type=float, help="so long, however many steps it is")
    parser.add_argument("--when", metavar="FILE", type=pathlib.Path, help="waits until it is there")
    parser.add_argument("--batch", type=int)
    parser.add_argument("--vocabulary", type=int)
    parser.add_argument("--precision", choices=("bf16", "tf32", "fp32"), default="bf16")
    parser.add_argument("--read-loss", action="store_true", help="in each step")
    parser.add_argument("--read-layers", action="store_true", help="a number after each layer")
    parser.add_argument("--host-ms", type=float, default=0, help="the host computes after the backward pass")
    parser.add_argument("--sleep-ms", type=float, default=0, help="the host sleeps before the forward pass")
    parser.add_argument("--input-mb", type=float, default=0, help="more input for each step")
    parser.add_argument("--pageable", action="store_true", help="input is copied from pageable memory")
    parser.add_argument("--unfused", action="store_true", help="the optimizer works tensor by tensor")
    parser.add_argument("--empty-cache", action="store_true", help="in each step")
    parser.add_argument("--load-ms", type=float, default=0, help="for a batch, in a worker of the loader")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--graph", action="store_true", help="the whole step is one CUDA graph")
    return parser.parse_args()


def compute_for(ms):
    end = time.perf_counter() + ms / 1e3
    while time.perf_counter() < end:
        pass


class Input:
    """Batches on the device, as the options want them to come there."""

    def __init__(self, given, sizes):
        self.waits = given.pageable
        batch, length, vocabulary = sizes["batch"], sizes["length"], sizes["vocabulary"]
        self.tokens = torch.randint(0, vocabulary, (8, batch, length + 1))
        self.more = torch.empty(int(given.input_mb * 250_000))
        if not given.pageable:
            self.tokens, self.more = self.tokens.pin_memory(), self.more.pin_memory()
        self.loaded = None
        if given.load_ms:
            slow = SlowTokens(1_000_000, given.load_ms, (batch, length + 1), vocabulary)
            loader = torch.utils.data.DataLoader(slow, batch_size=None, num_workers=given.workers, pin_memory=True)
            self.loaded = iter(loader)

    def to_device(self, tensor):
        return tensor.to("cuda", non_blocking=not self.waits)

    def next(self, step):
        batch = self.to_device(self.tokens[step % 8] if self.loaded is None else next(self.loaded))
        if self.more.numel():
            self.to_device(self.more)
        return batch[:, :-1], batch[:, 1:]


class Training:
    def __init__(self, given):
        self.given, sizes = given, dict(SIZES[given.size])
        sizes.update(batch=given.batch or sizes["batch"], vocabulary=given.vocabulary or sizes["vocabulary"])
        torch.manual_seed(0)
        torch.backends.cuda.matmul.allow_tf32 = given.precision == "tf32"
        self.input = Input(given, sizes)
        del sizes["batch"]
        self.model = Transformer(**sizes, reads_layers=given.read_layers).to("cuda")
        how = {"foreach": False, "fused": False} if given.unfused else {"fused": True}
        self.optimizer = torch.optim.AdamW(self.model.parameters(), 1e-4, capturable=given.graph, **how)
        self.graph = None

    def loss(self, tokens, wanted):
        half = self.given.precision == "bf16"
        with torch.autocast("cuda", torch.bfloat16) if half else contextlib.nullcontext():
            logits = self.model(tokens)
            return functional.cross_entropy(logits.float().flatten(0, 1), wanted.flatten())

    def update(self):
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    def step(self, number):
        batch = self.input.next(number)
        if self.graph:
            for static, given in zip(self.static, batch):
                static.copy_(given)
            return self.graph.replay()
        if self.given.sleep_ms:
            time.sleep(self.given.sleep_ms / 1e3)
        loss = self.loss(*batch)
        loss.backward()
        compute_for(self.given.host_ms)
        if self.given.empty_cache:
            torch.cuda.empty_cache()
        self.update()
        return loss.item() if self.given.read_loss else None

    def capture(self):
        """From then on a step is one graph."""
        self.static = [tensor.clone() for tensor in self.input.next(0)]
        stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.loss(*self.static).backward()
                self.update()
        torch.cuda.current_stream().wait_stream(stream)
        with torch.cuda.graph(graph):
            self.loss(*self.static).backward()
            self.optimizer.step()
        self.graph = graph


def cpu_ns_of_threads():
    """{(thread id, name): CPU time}"""
    found = {}
    for task in pathlib.Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError, IndexError, ValueError):
            name = (task / "comm").read_text(encoding="utf-8").strip()
            found[task.name, name] = int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return found


def run(training, given):
    """When each step started, on both clocks, and the times between which steps are measured."""
    starts, number = [], 0

    def is_at_end():
        return number == given.steps + WARM_UP if given.seconds is None else time.monotonic() > end

    end = time.monotonic() + (given.seconds or 0)
    while not is_at_end():
        if number == WARM_UP:
            torch.cuda.synchronize()
            since, threads = time.monotonic_ns(), cpu_ns_of_threads()
        starts.append((time.monotonic_ns(), time.thread_time_ns()))
        training.step(number)
        number += 1
    torch.cuda.synchronize()
    return starts, since, time.monotonic_ns(), {
        thread: ns - threads.get(thread, 0) for thread, ns in cpu_ns_of_threads().items()}


def main():
    given = options()
    print("ready", flush=True)
    while given.when and not given.when.exists():
        time.sleep(0.005)
    training = Training(given)
    if given.graph:
        training.capture()
    starts, since, until, threads = run(training, given)
    print(*(f"step {start} {cpu}" for start, cpu in starts), sep="\n")
    print("measured", since, until, WARM_UP)
    for (thread, name), ns in threads.items():
        print("thread", thread, ns, name)


if __name__ == "__main__":
    main()
