"""Hugging Face's Trainer with its defaults: a small GPT-2 on texts of random words. Its callbacks count the steps."""

import argparse

import calm_end
import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, PrinterCallback, Trainer, TrainerCallback, TrainingArguments

from phase_times import PhaseTimes

WORDS = 1000


class Texts(Dataset):
    def __init__(self, count, length):
        self.words = torch.randint(WORDS, (count, length), generator=torch.Generator().manual_seed(0))

    def __len__(self):
        return len(self.words)

    def __getitem__(self, number):
        return {"input_ids": self.words[number], "labels": self.words[number]}


class Stamps(TrainerCallback):
    """Trainer calls these around a step (after the batch was fetched) and its update."""

    def __init__(self):
        self.times = PhaseTimes()
        self.open = {}
        self.steps = 0

    def enter(self, name, block):
        self.open[name] = block
        block.__enter__()

    def leave(self, name):
        self.open.pop(name).__exit__(None, None, None)

    def on_step_begin(self, *_, **__):
        self.enter("step", self.times.step(self.steps + 1))

    def on_pre_optimizer_step(self, *_, **__):
        self.enter("update", self.times.phase("optim_step"))

    def on_optimizer_step(self, *_, **__):
        self.leave("update")

    def on_step_end(self, *_, **__):
        self.leave("step")
        self.steps += 1


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--accumulate", type=int, default=1, help="micro-batches per step of the optimizer")
    parser.add_argument("--evaluate-every", type=int, default=0, help="steps between evaluations; 0: never")
    options = parser.parse_args()
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=WORDS, n_positions=64, n_embd=128, n_layer=4, n_head=4))
    more = {"eval_strategy": "steps", "eval_steps": options.evaluate_every} if options.evaluate_every else {}
    arguments = TrainingArguments("checkpoints", max_steps=options.steps, disable_tqdm=True,
                                  gradient_accumulation_steps=options.accumulate, **more)
    stamps = Stamps()
    trainer = Trainer(model, arguments, train_dataset=Texts(200, 64), eval_dataset=Texts(16, 64), callbacks=[stamps])
    trainer.remove_callback(PrinterCallback)  # it prints times, which differ from run to run
    trainer.train()
    print(f"trained {stamps.steps} steps")


if __name__ == "__main__":
    main()
