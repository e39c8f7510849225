"""Trains a model that is well known, or says what PyTorch's own counter makes of a step of several.

    train_known_model.py llama --attention flash --checkpoint
    train_known_model.py --count "llama" "llama --checkpoint"      # a line of JSON for each

The counter's hooks see every operator, so it does not run where steps are recorded.
"""

import argparse
import contextlib
import json
import sys

import torch
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

import calm_end
import models_by_hand
import models_of_libraries

BACKENDS = {"math": SDPBackend.MATH, "flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION,
            "cudnn": SDPBackend.CUDNN_ATTENTION}
MODELS = {name: getattr(place, name) for place, names in {
    models_by_hand: ("gpt", "nanogpt", "experts", "dlrm"),
    models_of_libraries: ("gpt2", "llama", "lora", "mixtral", "bert", "t5", "resnet50", "convnext", "vit"),
}.items() for name in names}


def gradients_of_convolution(gradient, given, weight, _bias, _stride, _padding, _dilation, _transposed, _output_padding,
                             _groups, wanted, out_shape=None, **_):
    """As many operations for each gradient as forward. PyTorch's counter takes the groups of a weight for one."""
    positions = gradient[0] * torch.Size(gradient[2:]).numel()
    return 2 * positions * torch.Size(weight).numel() * sum(wanted[:2])


class Training:
    def __init__(self, options):
        torch.manual_seed(0)
        self.options = options
        with torch.device("cuda"):
            self.model, given, self.classes = MODELS[options.model](options)
        self.given = given.cpu()
        self.wanted = torch.zeros(given.shape if given.dtype == torch.int64 else given.shape[:1], dtype=torch.int64,
                                  device="cuda")
        self.model.train()
        self.optimizer = torch.optim.AdamW((p for p in self.model.parameters() if p.requires_grad), fused=True,
                                           capturable=True)
        self.called = torch.compile(self.model, mode=options.compile) if options.compile else self.model

    def predict(self, given):
        if self.options.model == "t5":
            return self.called(input_ids=given, decoder_input_ids=given, use_cache=False).logits
        if given.dtype == torch.int64 and MODELS[self.options.model].__module__ == models_of_libraries.__name__:
            more = {} if self.options.model == "bert" else {"use_cache": False}
            return self.called(input_ids=given, **more).logits
        return self.called(given)

    def step(self):
        self.learn(self.given.cuda())
        self.optimizer.step()
        self.optimizer.zero_grad()

    def learn(self, given):
        is_chosen = self.options.attention in BACKENDS
        backend = sdpa_kernel(BACKENDS[self.options.attention]) if is_chosen else contextlib.nullcontext()
        is_half = self.options.precision == "bf16"
        with torch.autocast("cuda", torch.bfloat16) if is_half else contextlib.nullcontext(), backend:
            predicted = self.predict(given)
            loss = functional.cross_entropy(predicted.reshape(-1, self.classes), self.wanted.reshape(-1))
        loss.backward()

    def capture(self):
        """Both passes and the update as one graph. Returns what launches it."""
        given = self.given.cuda()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(2):
                self.learn(given)
                self.optimizer.step()
                self.optimizer.zero_grad()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.learn(given)
            self.optimizer.step()
        return graph.replay


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=sorted(MODELS))
    parser.add_argument("--attention", default="default", choices=["default", "eager", *BACKENDS])
    parser.add_argument("--checkpoint", action="store_true")
    parser.add_argument("--compile", nargs="?", const="default", choices=["default", "reduce-overhead"])
    parser.add_argument("--whole-step", action="store_true", help="capture a step in one CUDA graph")
    parser.add_argument("--precision", default="bf16", choices=["bf16", "fp32"])
    parser.add_argument("--steps", type=int, default=8)
    return parser.parse_args(arguments)


def count(arguments):
    """Operations of a step: as PyTorch counts, and with the weights of convolutions in groups as they are."""
    options = parse_options(arguments.split())
    options.compile = None  # the same operations, and the counter sees none inside of a graph
    counted = []
    for mapping in ({}, {torch.ops.aten.convolution_backward: gradients_of_convolution}):
        training = Training(options)
        with FlopCounterMode(display=False, custom_mapping=mapping) as counter:
            training.step()
        counted.append(counter.get_total_flops())
    return {"model": arguments, "flops": counted[0], "flops_by_groups": counted[1]}


def main():
    calm_end.at_exit()
    if sys.argv[1:2] == ["--count"]:
        for arguments in sys.argv[2:]:
            print(json.dumps(count(arguments)), flush=True)
        return
    options = parse_options(sys.argv[1:])
    training = Training(options)
    step = training.capture() if options.whole_step else training.step
    for _ in range(options.steps):
        step()
    torch.cuda.synchronize()


if __name__ == "__main__":
    main()
