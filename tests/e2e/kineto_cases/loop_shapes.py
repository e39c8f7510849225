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
