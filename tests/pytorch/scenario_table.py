"""The scenarios: scripts of scenarios/, started as a user would start them.

Together they cover the ways in which PyTorch programs differ for a recorder. The few marked `on_every_wheel` also run
with older wheels.
"""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

SCRIPTS = pathlib.Path(__file__).resolve().parent / "scenarios"


@dataclass(frozen=True)
class Scenario:
    name: str
    script: str
    arguments: str = ""
    steps: int = 12
    ranks: int = 0  # 0: started without a launcher
    launcher: str = "torchrun"
    on_every_wheel: bool = False
    in_every_run: bool = True  # false: the long tier alone
    devices: str = ""  # options of the simulated devices
    profiles_itself: bool = False  # by CUPTI, which has one user per process
    is_about_phases: bool = False  # only the recorded run
    # Phases that cannot be told apart: one line does several, or no call separates their lines.
    seen_as_one: tuple[str, ...] = ()

    def path(self):
        return SCRIPTS / self.script

    def of_one_rank(self, python):
        """The command of a process that has its rank from the environment, or none."""
        return [python, str(self.path()), *self.arguments.split(), "--steps", str(self.steps)]

    def command(self, python):
        """The command that a user types; checkpoints and traces go to the current folder."""
        if self.ranks == 0:
            return self.of_one_rank(python)
        launchers = {
            "torchrun": ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(self.ranks)],
            "accelerate": ["-m", "accelerate.commands.launch", "--multi_gpu", "--num_machines", "1", "--num_processes",
                           str(self.ranks), "--main_process_port", "0", "--mixed_precision", "no",
                           "--dynamo_backend", "no"],
        }
        return [python, *launchers[self.launcher], *self.of_one_rank(python)[1:]]


# Enough compute that the device always lags behind the host, so reading results blocks the host.
BUSY = "--batch 4096 --width 4096 --layers 6"

SCENARIOS = (
    Scenario("mlp", "mlp.py", "--optimizer plain"),
    Scenario("item_every_step", "mlp.py", f"--item-every 1 --clip 1 {BUSY}", on_every_wheel=True),
    Scenario("blocking_copies", "mlp.py", f"--copies pageable --optimizer fused {BUSY}", devices="slow=0:4",
             in_every_run=False),
    Scenario("slow_collate", "mlp.py", "--collate-ms 60 --copies pinned --optimizer fused", in_every_run=False),
    Scenario("four_workers", "mlp.py",
             "--workers 4 --copies pinned-async --optimizer fused --accumulate 2 --item-every 1", devices="slow=0:30"),
    Scenario("four_workers_slow_data", "mlp.py",
             "--workers 4 --load-ms 300 --epoch 1000 --copies prefetch --optimizer fused", in_every_run=False),
    Scenario("fp16_scaler", "mlp.py", "--precision fp16 --clip 1 --accumulate 2 --item-every 4", in_every_run=False),
    Scenario("bf16_autocast", "mlp.py", "--precision bf16 --clip 1 --copies pageable-async --optimizer fused",
             in_every_run=False),
    Scenario("cnn", "cnn.py", "--layers 24", in_every_run=False),
    Scenario("transformer", "transformer.py", "--clip 1 --evaluate-every 5 --checkpoint checkpoint.pt",
             in_every_run=False),
    Scenario("ddp_1_rank", "transformer.py", "--parallel ddp", ranks=1, in_every_run=False),
    Scenario("ddp_2_ranks", "transformer.py", "--parallel ddp --accumulate 2 --precision bf16 --clip 1", ranks=2,
             on_every_wheel=True),
    Scenario("ddp_4_ranks", "transformer.py", "--parallel ddp --evaluate-every 6 --checkpoint checkpoint.pt", ranks=4,
             in_every_run=False),
    Scenario("fsdp2", "transformer.py", "--parallel fsdp2 --precision bf16 --clip 1 --evaluate-every 6", ranks=2),
    Scenario("accelerate", "accelerated.py", "--accumulate 2", ranks=2, launcher="accelerate", in_every_run=False,
             seen_as_one=("dataload_wait", "h2d")),  # its loader copies what it fetches
    Scenario("torch_profiler", "profiled.py", "--trace trace.json", on_every_wheel=True, profiles_itself=True),
)

# Loops in the style of well-known code bases. They launch nothing new, but at other times and from other positions.
LOOPS_IN_EVERY_RUN = ("closure", "two_optimizers")
LOOPS = tuple(Scenario(name, "loops.py", arguments, is_about_phases=True, in_every_run=name in LOOPS_IN_EVERY_RUN)
              for name, arguments in (
    ("zero_first", "zero-first"),
    ("zero_first_to_none", "zero-first --set-to-none --optimizer plain"),
    ("loss_in_the_middle", "loss-in-the-middle"),
    ("loss_before_update", "loss-before-update --optimizer fused"),
    ("batch_ahead", "ahead --optimizer fused"),
    ("batch_ahead_foreach", "ahead --load-ms 10"),
    ("closure", "closure"),
    ("two_optimizers", "alternating-updates --load-ms 5"),
    ("averaged_weights", "averaged"),
    ("averaged_weights_plain", "averaged --optimizer plain"),
))

# A graph is one launch of the host: there are no phases to compare.
GRAPHS = tuple(Scenario(f"captured_{optimizer}", "loops.py", f"captured --load-ms 2 --optimizer {optimizer}",
                        is_about_phases=True, in_every_run=optimizer == "fused")
               for optimizer in ("fused", "foreach", "plain"))

# The same kernels after the backward pass and inside it, where only marks tell them apart.
UPDATES = (Scenario("updated_one_by_one", "loops.py", "one-by-one", is_about_phases=True),
           Scenario("updated_in_backward", "loops.py", "one-by-one --in-backward", is_about_phases=True))

# Loaders that barely keep up: in the first, the queues of four workers fill and run dry together; in the second, the
# workers restart for every epoch. Their sleeps are long, so that a busy machine adds little to them.
LOADERS = (
    Scenario("workers_in_step", "mlp.py", "--workers 4 --load-ms 400 --load-together --epoch 1000 --optimizer fused",
             steps=44, is_about_phases=True),
    Scenario("workers_started_anew", "mlp.py", "--workers 2 --epoch 24 --start-ms 400 --optimizer fused", steps=100,
             is_about_phases=True),
)

# Programs that count their steps in another way than those above, or make them in other places. `in_every_run`: the
# others take seconds to compile, or start several processes; one of each kind is in every run.
PROGRAMS_IN_EVERY_RUN = ("in_thread", "overflowing", "two_loaders", "requests_word_by_word")
PROGRAMS = tuple(Scenario(name, script, arguments, ranks=ranks, devices=devices, is_about_phases=True,
                          in_every_run=name in PROGRAMS_IN_EVERY_RUN)
                 for name, script, arguments, ranks, devices in (
    ("hf_trainer", "hf_trainer.py", "", 0, "devices=1"),
    ("hf_trainer_accumulating", "hf_trainer.py", "--accumulate 2 --evaluate-every 4", 0, "devices=1"),
    ("hf_trainer_two_devices", "hf_trainer.py", "", 0, "devices=2"),  # it takes nn.DataParallel
    ("lightning", "lightning_trainer.py", "", 0, ""),
    ("lightning_accumulating", "lightning_trainer.py", "--accumulate 2 --validate", 0, ""),
    ("fsdp1", "transformer.py", "--parallel fsdp1 --clip 1 --evaluate-every 5", 2, ""),
    ("megatron_pipeline", "megatron_pipeline.py", "", 3, ""),
    ("data_parallel", "several.py", "data-parallel", 0, "devices=2"),
    ("in_thread", "several.py", "in-thread", 0, ""),
    ("four_threads", "several.py", "four-threads", 0, ""),
    ("model_average", "updates.py", "model-average", 0, ""),
    ("calling_back", "updates.py", "calling-back", 0, ""),
    ("critic_ahead", "updates.py", "critic-ahead", 0, ""),
    ("overflowing", "updates.py", "overflowing", 0, ""),
    ("own_optimizer", "updates.py", "own-optimizer", 0, ""),
    ("no_optimizer", "updates.py", "no-optimizer", 0, ""),
    ("two_loaders", "inputs.py", "two-loaders", 0, ""),
    ("streamed", "inputs.py", "streamed", 0, ""),
    ("on_device", "inputs.py", "on-device", 0, ""),
    ("compiled_model", "compiled_loops.py", "model --layers 8", 0, ""),
    ("reduce_overhead", "compiled_loops.py", "reduce-overhead --layers 8", 0, ""),
    ("compiled_update", "compiled_loops.py", "update --layers 4", 0, ""),
    ("compiled_step", "compiled_loops.py", "whole-step --layers 4", 0, ""),
    ("requests", "generation.py", "", 0, ""),
    ("requests_to_hf", "hf_generation.py", "", 0, ""),
    ("requests_word_by_word", "generation.py", "--word-by-word", 0, ""),
))
ALL = SCENARIOS + LOOPS + GRAPHS + UPDATES + LOADERS + PROGRAMS


def scenario(name):
    [found] = (candidate for candidate in ALL if candidate.name == name)
    return found
