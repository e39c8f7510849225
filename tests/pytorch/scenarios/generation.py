"""Answers requests with texts of varying length, word by word. A request is a step where it is one call of a module, else
each word is."""

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

    @staticmethod
    def appended(text, scores):
        return torch.cat([text, scores[:, -1:].argmax(-1).clamp(0, WORDS - 1)], dim=1)[:, 1:]

    def forward(self, text, words):
        for _ in range(words):
            text = self.appended(text, self.model(text))
        return text


def new_prompt():
    return torch.randint(WORDS, (4, LENGTH)).to("cuda")


def answer(writer, times, steps):
    lengths = torch.randint(3, 12, (steps,), generator=torch.Generator().manual_seed(0)).tolist()
    for number, length in enumerate(lengths, start=1):
        with times.step(number):
            with times.phase("h2d"):
                prompt = new_prompt()
            with times.phase("forward"):
                text = writer(prompt, length)
            with times.phase("sync_gather"):
                text.cpu()


def answer_word_by_word(writer, times, steps):
    """Four requests."""
    for number in range(1, steps + 1):
        is_new, is_done = (number - 1) % (steps // 4) == 0, number % (steps // 4) == 0
        with times.step(number):
            with times.phase("h2d"):
                text = new_prompt() if is_new else text
            with times.phase("forward"):
                scores = writer.model(text)
            text = writer.appended(text, scores)
            with times.phase("sync_gather"):
                if is_done:
                    text.cpu()


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12, help="requests, or words")
    parser.add_argument("--word-by-word", action="store_true", help="call the model from the loop, without a module")
    options = parser.parse_args()
    writer, times = Writer(torch.device("cuda")), PhaseTimes()
    with torch.no_grad():
        (answer_word_by_word if options.word_by_word else answer)(writer, times, options.steps)
    print(f"trained {options.steps} steps")


if __name__ == "__main__":
    main()
