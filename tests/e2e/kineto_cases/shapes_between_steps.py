"""Loops that differ in their work between steps, before the first and after the last."""

from plain_loop import NET, plain_loop, plain_loop_body, setup
from training_program import elementwise, LERP_LISTS, NATIVE


def evaluations(p, batches=6, every=4):
    setup(p)
    for step in range(13):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        if step % every == every - 1:
            p.evaluate(NET, batches)


def long_evaluations(p):
    evaluations(p, batches=60, every=5)


def evaluation_each_other_step(p):
    evaluations(p, batches=3, every=2)


def sanity_check_first(p):
    """Two batches are evaluated before the first step, as Lightning does."""
    setup(p)
    p.evaluate(NET, 2)
    p.pause(500)
    plain_loop_body(p, 12)


def samples_now_and_then(p):
    """Every four steps the model generates text, with kernels that training does not have."""
    setup(p)
    for step in range(12):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        if step % 4 == 3:
            for _ in range(20):
                p.kernel(*["decode_gemv", "decode_attention_split_kv", "decode_rope", "decode_norm"] * 4, "argmax",
                         "top_p_sort", "top_p_scan", "sample_multinomial", "kv_append", "kv_gather", "paged_copy")
                p.read_back()


def checkpoints(p):
    setup(p)
    for step in range(13):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        if step % 5 == 4:
            p.d2h(40)
            p.sync()
            p.pause(30_000)


def losses_read_back(p):
    setup(p)
    for step in range(12):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        p.kernel(f"{NATIVE}reduce_kernel<512, 1, MeanOps>")
        p.read_back()


def metrics_every_three(p):
    setup(p)
    for step in range(14):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        if step % 3 == 2:
            p.kernel(f"{NATIVE}reduce_kernel<512, 1, MeanOps>", elementwise("sqrt"), NATIVE + "histogram_kernel")
            p.read_back()


def epochs_with_validation(p):
    setup(p)
    for _ in range(3):
        for _ in range(7):
            p.step()
            p.load()
            p.train(NET)
            p.update()
        p.evaluate(NET, 40)
        p.d2h(12)
        p.sync()
        p.pause(20_000)


def autotuning_first(p):
    """The first step benchmarks kernels, inside forward and inside backward."""
    setup(p)
    for step in range(12):
        p.step()
        p.load()
        if step == 0:
            for kernel in range(6):
                for config in range(5):
                    for _ in range(4):
                        p.fill()
                        p.kernel(f"triton_mm_{kernel}_{config}")
                    p.sync()
        p.forward(NET)
        if step == 0:
            for config in range(5):
                for _ in range(4):
                    p.fill()
                    p.kernel(f"triton_mm_backward_{config}", thread=p.backward_thread)
                p.sync()
        p.backward(NET)
        p.update()


def learning_rate_finder(p):
    """Steps with growing learning rates, then the weights are restored, then training."""
    setup(p)
    for _ in range(6):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        p.kernel(f"{NATIVE}reduce_kernel<512, 1, MeanOps>")
        p.read_back()
    p.h2d(20)
    p.pause(3_000)
    plain_loop_body(p, 10)


def half_a_step_last(p):
    """Killed in the middle of backward: that step does not count."""
    plain_loop(p, 9)
    p.step()
    p.load()
    p.forward(NET)
    p.kernel(*NET.backward[:7], thread=p.backward_thread)
    p.unfinished = 1


def half_a_step_first(p):
    """Recorded from the middle of a backward pass on."""
    p.kernel(*NET.backward[9:], thread=p.backward_thread)
    p.update()
    plain_loop_body(p, 9)


def resumed(p):
    """Checkpoint and optimizer state are loaded, and the loader skips old batches."""
    setup(p)
    p.h2d(60)
    p.pause(50_000)
    plain_loop_body(p, 10)


def prefetched_in_forward(p):
    """The next batch is copied during this one's forward pass."""
    setup(p)
    p.h2d(2)
    for _ in range(12):
        p.step()
        p.pause(80)
        p.kernel(*NET.forward[:8])
        p.h2d(2)
        p.kernel(*NET.forward[8:], *NET.loss)
        p.backward(NET)
        p.update()


def prefetched_at_the_start(p):
    setup(p)
    p.h2d(2)
    for _ in range(12):
        p.step()
        p.pause(80)
        p.h2d(2)
        p.train(NET)
        p.update()


def noise_before_input(p):
    """Random numbers are drawn on the device before the batch is copied."""
    setup(p)
    for _ in range(12):
        p.step()
        p.pause(90)
        p.kernel(f"{NATIVE}distribution_normal_kernel")
        p.pause(3)
        p.h2d(2)
        p.train(NET)
        p.update()


def data_on_the_device(p):
    setup(p)
    for _ in range(12):
        p.step()
        p.pause(40)
        p.kernel(NATIVE + "index_select_batch")
        p.train(NET)
        p.update()


def logging_and_schedule(p):
    """Every four steps, after the update, the loss is averaged and logged."""
    setup(p)
    for step in range(14):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        if step % 4 == 3:
            p.kernel(f"{NATIVE}reduce_kernel<512, 1, MeanOps>")
            p.read_back()
            p.pause(600)


def two_copies_apart(p):
    """The labels are copied only when the loss needs them."""
    setup(p)
    for _ in range(12):
        p.step()
        p.load(copies=1)
        p.kernel(*NET.forward)
        p.h2d()
        p.kernel(*NET.loss)
        p.backward(NET)
        p.update()


def evaluation_with_its_own_average(p):
    """Averaged weights are swapped in for the evaluation, and back."""
    setup(p)
    for step in range(13):
        p.step()
        p.load()
        p.train(NET)
        p.update()
        p.kernel(LERP_LISTS)
        if step % 4 == 3:
            p.kernel(*[elementwise("swap_copy")] * 8)
            p.evaluate(NET, 6)
            p.kernel(*[elementwise("swap_copy")] * 8)


SHAPES = (
    evaluations, long_evaluations, evaluation_each_other_step, sanity_check_first, samples_now_and_then,
    checkpoints, losses_read_back, metrics_every_three, epochs_with_validation, autotuning_first,
    learning_rate_finder, half_a_step_last, half_a_step_first, resumed, prefetched_in_forward,
    prefetched_at_the_start, noise_before_input, data_on_the_device, logging_and_schedule, two_copies_apart,
    evaluation_with_its_own_average)
