"""Loops that differ in their updates and in other work on all weights."""

from plain_loop import LARGE, NET, OTHER, setup
from training_program import elementwise, LERP_LISTS, NATIVE, UNSCALE, UPDATE_SCALE, ZERO_LISTS


def changing_accumulation(p):
    setup(p)
    for count in (1, 1, 2, 2, 2, 4, 4, 4, 8, 8):
        p.step()
        for _ in range(count):
            p.load()
            p.train(NET)
        p.clip()
        p.update()


def ragged_accumulation(p):
    """The last step of each epoch has the remaining batches."""
    setup(p)
    for count in (4, 4, 4, 1, 4, 4, 4, 1, 4, 4, 4, 1):
        p.step()
        for _ in range(count):
            p.load()
            p.train(NET)
        p.update()


def much_accumulation(p):
    """Enough passes before the first update to be taken for steps."""
    setup(p)
    for _ in range(8):
        p.step()
        for _ in range(14):
            p.load(30)
            p.train(NET)
        p.update()


def gan(p):
    """Two backward passes for the discriminator, one for the generator, then an update of each."""
    setup(p)
    for _ in range(10):
        p.step()
        p.load()
        p.forward(NET)
        p.backward(NET)
        p.kernel(*OTHER.forward)
        p.train(NET)
        p.update()
        p.forward(NET)
        p.backward(NET)
        p.backward(OTHER)
        p.update()


def critics(p):
    """Five updates of the critic, each with its own batch, then one of the generator."""
    setup(p)
    for _ in range(9):
        p.step()
        for _ in range(5):
            p.load()
            p.train(NET)
            p.update()
        p.kernel(*OTHER.forward)
        p.forward(NET)
        p.backward(NET)
        p.backward(OTHER)
        p.update()


def three_optimizers(p):
    setup(p)
    for _ in range(9):
        p.step()
        p.load()
        for network in (NET, OTHER, LARGE):
            p.train(network)
            p.update()


def moving_average(p):
    """The weights are averaged kernel by kernel after each update."""
    setup(p)
    for _ in range(12):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        p.pause(12)
        p.kernel(*[elementwise("MulFunctor"), elementwise("ema_add")] * 6)


def moving_average_of_lists(p):
    setup(p)
    for _ in range(12):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        p.pause(12)
        p.kernel(LERP_LISTS, LERP_LISTS)


def moving_average_without_input(p):
    setup(p)
    for _ in range(12):
        p.step()
        p.pause(60)
        p.train(NET)
        p.update()
        p.pause(12)
        p.kernel(LERP_LISTS, LERP_LISTS)


def zeros_first(p):
    """Gradients are cleared by a kernel over lists before forward."""
    setup(p)
    for _ in range(12):
        p.step()
        p.load()
        p.kernel(ZERO_LISTS)
        p.train(NET)
        p.update()


def zeros_last(p):
    setup(p)
    for _ in range(12):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        p.kernel(ZERO_LISTS)


def clipping(p):
    setup(p)
    for _ in range(12):
        p.step()
        p.load()
        p.train(NET)
        p.clip()
        p.update()


def clipping_one_by_one(p):
    setup(p)
    for _ in range(12):
        p.step()
        p.load()
        p.train(NET)
        for _ in range(8):
            p.kernel(f"{NATIVE}reduce_kernel<512, 1, NormTwoOps>")
        p.kernel(f"{NATIVE}CatArrayBatchedCopy", f"{NATIVE}reduce_kernel<512, 1, NormTwoOps>")
        for _ in range(8):
            p.kernel(elementwise("MulFunctor"))
        p.update()


def scaled_with_skips(p):
    """Loss scaling: the scale is too large at first and once later; those steps have no update."""
    setup(p)
    for step in range(14):
        p.step()
        p.load()
        p.train(NET)
        p.kernel(UNSCALE)
        p.read_back()
        if step not in (0, 1, 8):
            p.update()
        p.kernel(UPDATE_SCALE)


def scaled_with_accumulation(p):
    setup(p)
    for step in range(9):
        p.step()
        for _ in range(3):
            p.load()
            p.train(NET)
        p.kernel(UNSCALE)
        p.clip()
        p.read_back()
        if step != 4:
            p.update()
        p.kernel(UPDATE_SCALE)


def two_passes_one_update(p):
    """Two losses and two passes over one batch (sharpness-aware training, a student's second pass)."""
    setup(p)
    for _ in range(10):
        p.step()
        p.load()
        p.train(NET)
        p.kernel(*[elementwise("sam_perturb")] * 8)
        p.train(NET)
        p.kernel(*[elementwise("sam_restore")] * 8)
        p.update()


def updates_after_rollouts(p):
    """Reinforcement learning: a rollout, then four updates from its data; each update is a step."""
    setup(p)
    for _ in range(8):
        for _ in range(10):
            p.load(60, copies=1)
            p.kernel(*OTHER.inference, "sample_action")
            p.read_back()
        p.h2d(4)
        for _ in range(4):
            p.step()
            p.kernel(NATIVE + "index_select_batch")
            p.train(NET)
            p.clip()
            p.update()


def everything_at_once(p):
    setup(p)
    p.evaluate(NET, 2)
    for step in range(16):
        p.step()
        for _ in range(3):
            p.load()
            p.train(NET)
        p.kernel(UNSCALE)
        p.clip()
        p.read_back()
        if step not in (0, 7):
            p.update()
        p.kernel(UPDATE_SCALE)
        p.pause(10)
        p.kernel(*[elementwise("MulFunctor"), elementwise("ema_add")] * 6)
        if step % 5 == 4:
            p.evaluate(NET, 9)
        if step % 6 == 5:
            p.d2h(30)
            p.sync()


def one_update(p):
    setup(p)
    p.step()
    p.load()
    p.train(NET)
    p.update()


SHAPES = (
    changing_accumulation, ragged_accumulation, much_accumulation, gan, critics, three_optimizers, moving_average,
    moving_average_of_lists, moving_average_without_input, zeros_first, zeros_last, clipping, clipping_one_by_one,
    scaled_with_skips, scaled_with_accumulation, two_passes_one_update, updates_after_rollouts, everything_at_once,
    one_update)
