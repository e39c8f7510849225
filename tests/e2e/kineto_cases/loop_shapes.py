"""Training loops of many shapes: where steps start and end in real programs.

Each shape writes a program (training_program.py) and notes where its steps are. Shapes that do not depend on how updates
are launched are tried with every optimizer.
"""

import shapes_between_steps
import shapes_of_passes
import shapes_of_updates
from plain_loop import plain_loop, short_loop

SHAPES = {shape.__name__: shape for shape in (
    plain_loop, *shapes_of_updates.SHAPES, *shapes_between_steps.SHAPES, *shapes_of_passes.SHAPES)}
SHAPES |= {"two_steps": short_loop(2), "three_steps": short_loop(3), "four_steps": short_loop(4)}

# Unknowable where no kernel has a known name and no thread launches backward: what recurs is not a step.
UNKNOWABLE_WITHOUT_NAMES_AND_THREADS = {
    "changing_accumulation", "ragged_accumulation", "evaluations", "long_evaluations", "evaluation_each_other_step",
    "samples_now_and_then", "metrics_every_three", "sequence_buckets", "experts", "epochs_with_validation",
    "autotuning_first", "learning_rate_finder", "updates_after_rollouts", "prefetched_in_forward",
    "whole_step_in_a_graph", "one_update", "sharded", "buckets_reduced", "alternating_tasks", "growing_batches",
    "frozen_then_thawed", "distillation_every_other", "two_steps", "three_steps"}


def is_unknowable(shape, optimizer, thread):
    """Whether the steps of this program cannot be known (docs/phases.md, "What fools it")."""
    if optimizer != "plain":
        return False
    if thread == "main":
        return shape in UNKNOWABLE_WITHOUT_NAMES_AND_THREADS
    return shape in ("updates_after_rollouts", "one_update")
