"""Answers requests with Hugging Face's `generate`, word by word; each request is what counts as a step."""

import argparse

import calm_end
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from phase_times import PhaseTimes

WORDS, LENGTH = 1000, 32


def append_words(model, input_ids, generation_config, **_):
    """Hugging Face's own loop reads from the device whether all texts have ended; simulated kernels compute no answer.
    """
    for _ in range(generation_config.max_new_tokens):
        word = model(input_ids).logits[:, -1:].argmax(-1).clamp(0, WORDS - 1)
        input_ids = torch.cat([input_ids, word], dim=1)[:, 1:]
    return input_ids


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12, help="requests")
    options = parser.parse_args()
    device, times = torch.device("cuda"), PhaseTimes()
    config = GPT2Config(vocab_size=WORDS, n_positions=2 * LENGTH, n_embd=128, n_layer=2, n_head=2, eos_token_id=None,
                        bos_token_id=None)
    model = GPT2LMHeadModel(config).to(device).eval()
    lengths = torch.randint(3, 12, (options.steps,), generator=torch.Generator().manual_seed(0)).tolist()
    for number, length in enumerate(lengths, start=1):
        with times.step(number):
            with times.phase("h2d"):
                prompt = torch.randint(WORDS, (4, LENGTH)).to(device)
            with times.phase("forward"):
                text = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=length,
                                      custom_generate=append_words)
            with times.phase("sync_gather"):
                text.cpu()
    print(f"trained {options.steps} steps")


if __name__ == "__main__":
    main()
