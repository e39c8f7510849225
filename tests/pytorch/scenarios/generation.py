"""Answers requests with texts of varying length, word by word; each request is what counts as a step."""

import argparse

import calm_end
import torch
from torch import nn

from phase_times import PhaseTimes
from transformer import WORDS, LanguageModel

LENGTH = 32


class Writer(nn.Module):
    """Appends words to a text until it is as long as asked."""

    def __init__(self, device):
        super().__init__()
        self.model = LanguageModel(128, 2, LENGTH).to(device)

    def forward(self, text, words):
        for _ in range(words):
            text = torch.cat([text, self.model(text)[:, -1:].argmax(-1).clamp(0, WORDS - 1)], dim=1)[:, 1:]
        return text


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12, help="requests")
    parser.add_argument("--word-by-word", action="store_true", help="call the model from the loop, without a module")
    options = parser.parse_args()
    device = torch.device("cuda")
    writer, times = Writer(device), PhaseTimes()
    write = writer.forward if options.word_by_word else writer
    lengths = torch.randint(3, 12, (options.steps,), generator=torch.Generator().manual_seed(0)).tolist()
    with torch.no_grad():
        for number, length in enumerate(lengths, start=1):
            with times.step(number):
                with times.phase("h2d"):
                    prompt = torch.randint(WORDS, (4, LENGTH)).to(device)
                with times.phase("forward"):
                    text = write(prompt, length)
                with times.phase("sync_gather"):
                    text.cpu()
    print(f"trained {options.steps} steps")


if __name__ == "__main__":
    main()
