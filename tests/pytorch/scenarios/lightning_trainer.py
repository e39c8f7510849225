"""Lightning's Trainer with its defaults, except that it leaves no files. Its callbacks count the steps."""

import argparse
import logging
import warnings

import calm_end
import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from phase_times import PhaseTimes

FEATURES, CLASSES = 512, 10


class Classifier(lightning.LightningModule):
    def __init__(self, layers):
        super().__init__()
        stages = [nn.Linear(FEATURES, 512), nn.GELU()]
        for _ in range(layers):
            stages += [nn.Linear(512, 512), nn.LayerNorm(512), nn.GELU()]
        self.model = nn.Sequential(*stages, nn.Linear(512, CLASSES))

    def training_step(self, batch, _):
        pictures, labels = batch
        return nn.functional.cross_entropy(self.model(pictures), labels)

    def validation_step(self, batch, number):
        self.log("validation", self.training_step(batch, number))

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=1e-3)
        return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 5)}


class Stamps(lightning.Callback):
    """Lightning calls these around a batch (after it was fetched) and its backward pass."""

    def __init__(self, accumulate):
        self.times = PhaseTimes()
        self.accumulate = accumulate
        self.open = {}
        self.steps = 0

    def enter(self, name, block):
        self.open[name] = block
        block.__enter__()

    def leave(self, name):
        self.open.pop(name).__exit__(None, None, None)

    def on_train_batch_start(self, trainer, module, batch, number):
        if number % self.accumulate == 0:
            self.enter("step", self.times.step(self.steps + 1))

    def on_before_backward(self, trainer, module, loss):
        self.enter("backward", self.times.phase("backward"))

    def on_after_backward(self, trainer, module):
        self.leave("backward")

    def on_train_batch_end(self, trainer, module, outputs, batch, number):
        if number % self.accumulate == self.accumulate - 1:
            self.leave("step")
            self.steps += 1


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--layers", type=int, default=16)
    parser.add_argument("--accumulate", type=int, default=1, help="micro-batches per step of the optimizer")
    parser.add_argument("--validate", action="store_true", help="before the first step and after each epoch")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(384, FEATURES), torch.randint(CLASSES, (384,)))
    stamps = Stamps(options.accumulate)
    trainer = lightning.Trainer(accelerator="gpu", devices=1, max_steps=options.steps, logger=False, callbacks=[stamps],
                                enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
                                accumulate_grad_batches=options.accumulate)
    loader = DataLoader(data, 64)
    trainer.fit(Classifier(options.layers), loader, loader if options.validate else None)
    print(f"trained {stamps.steps} steps")


if __name__ == "__main__":
    main()
