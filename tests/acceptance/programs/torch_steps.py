"""A small transformer that is bound by its host: torch_steps.py SECONDS.

Prints when each step started, in ns of the monotonic clock and of the thread's CPU clock, some lines at a time.
"""

import sys
import time

import torch

WIDTH, LAYERS, BATCH, LENGTH = 256, 8, 8, 64


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    layer = torch.nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, batch_first=True, dropout=0.0)
    model = torch.nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    inputs = torch.randn(BATCH, LENGTH, WIDTH, device=device)
    end, flushed = time.monotonic() + float(sys.argv[1]), 0.0
    while time.monotonic() < end:
        print(time.monotonic_ns(), time.thread_time_ns())
        if time.monotonic() > flushed + 0.5:
            sys.stdout.flush()
            flushed = time.monotonic()
        optimizer.zero_grad(set_to_none=True)
        model(inputs).square().mean().backward()
        optimizer.step()
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
