"""The plain training loop, and the parts that other shapes share."""

from training_program import NATIVE, Network, elementwise

NET, OTHER, LARGE = Network(), Network("relu", layers=3), Network("silu", layers=8)


def setup(p, network=NET):
    """Creates and copies the parameters; none of this belongs to a step."""
    for _ in range(8):
        p.kernel(f"{NATIVE}distribution_normal_kernel", elementwise("FillFunctor"))
    p.h2d(6)
    p.sync("cudaDeviceSynchronize")
    p.pause(2_000)


def plain_loop(p, steps=12):
    setup(p)
    plain_loop_body(p, steps)


def plain_loop_body(p, steps):
    for _ in range(steps):
        p.step()
        p.load()
        p.train(NET)
        p.update()


def short_loop(steps):
    return lambda p: plain_loop(p, steps)
