"""Training programs without step markers, written launch by launch as traces of the PyTorch profiler.

A program consists of the launches of a training loop in host order, with kernels named as PyTorch names them. It notes
where each step of the loop starts, for comparison with the steps that are found. All device work is on one stream, so a
step lasts from its first span to the first span of the next step.
"""

from __future__ import annotations

import contextlib

from kineto_trace import AUTOGRAD, MAIN, Trace

CALL, BETWEEN, LATENCY = 4, 2, 3  # µs: length of a call, time between calls, from a call to its start when idle

NATIVE = "void at::native::"
LISTS = NATIVE + "(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
ADAM = LISTS + "FusedOptimizerTensorListMetadata<4>, at::native::FusedAdamMathFunctor<float, 4> >"
NORM = LISTS + "TensorListMetadata<1>, at::native::(anonymous namespace)::LpNormFunctor<float, (NormType)1, float> >"
SCALE_LISTS = LISTS + "TensorListMetadata<1>, at::native::(anonymous namespace)::BinaryOpScalarTensorFunctor<float> >"
ZERO_LISTS = LISTS + "TensorListMetadata<1>, at::native::(anonymous namespace)::ZeroFunctor<float, 1, 1, 0> >"
LERP_LISTS = LISTS + "TensorListMetadata<2>, TernaryOpScalarFunctor<float, 2, 2, 0>, LerpFunctor<float> >"
UNSCALE = LISTS + "TensorListMetadata<1>, at::native::_amp_foreach_non_finite_check_and_unscale_cuda_::lambda>"
UPDATE_SCALE = NATIVE + "amp_update_scale_cuda_kernel(float*, int*, float const*, double, double, int)"


def elementwise(functor):
    return f"{NATIVE}vectorized_elementwise_kernel<4, at::native::{functor}, std::array<char*, 2ul> >"


FOREACH_ADAM = [LISTS + f"TensorListMetadata<{lists}>, {functor}, {op} >" for lists, functor, op in (
    (1, "BinaryOpScalarFunctor<float, 1, 1, 0>", "std::plus<float>"),  # the steps
    (1, "BinaryOpScalarFunctor<float, 1, 1, 0>", "std::multiplies<float>"),  # weight decay
    (2, "TernaryOpScalarFunctor<float, 2, 2, 0>", "LerpFunctor<float>"),
    (1, "BinaryOpScalarFunctor<float, 1, 1, 0>", "std::multiplies<float>"),
    (3, "PointwiseOpScalarFunctor<float, 3, 3, 0>", "std::multiplies<float>"),
    (2, "UnaryOpFunctor<float, 2, 1, 1>", "Sqrt<float>"),
    (1, "BinaryOpScalarListFunctor<float, 1, 1, 0>", "std::divides<float>"),
    (1, "BinaryOpScalarFunctor<float, 1, 1, 0>", "std::plus<float>"),
    (3, "PointwiseOpScalarListFunctor<float, 3, 3, 0>", "std::divides<float>"))]
PLAIN_ADAM = [elementwise(functor) for functor in (
    "AUnaryFunctor<float, MulFunctor>", "lerp_scalar_kernel", "addcmul_cuda_kernel", "sqrt_kernel_cuda",
    "BUnaryFunctor<float, DivFunctor>", "CUDAFunctorOnSelf_add<float>", "addcdiv_cuda_kernel")]
FOREACH_SGD = [LISTS + "TensorListMetadata<2>, BinaryOpListAlphaFunctor<float, 2, 2, 0>, std::plus<float> >"]

OPTIMIZERS = {"fused": [ADAM] * 3, "foreach": FOREACH_ADAM * 2, "plain": PLAIN_ADAM * 8, "sgd": FOREACH_SGD * 2}


class Network:
    """Kernels of a forward and a backward pass. Networks of different kinds share their GEMMs' names."""

    def __init__(self, kind="gelu", layers=4, shape="128x64"):
        gemm = "ampere_sgemm_" + shape
        self.forward = [gemm + "_tn", elementwise(f"{kind}_kernel"), f"{NATIVE}{kind}_norm_kernel<float>",
                        elementwise("dropout")] * layers
        self.loss = [f"{NATIVE}log_softmax_kernel", f"{NATIVE}nll_loss_kernel"]
        self.backward = ([elementwise("nll_loss_grad"), f"{NATIVE}log_softmax_grad"] +
                         [elementwise("dropout_grad"), f"{NATIVE}{kind}_norm_grad<float>",
                          elementwise(f"{kind}_grad"), gemm + "_nn", gemm + "_nt",
                          elementwise("CUDAFunctor_add<float>")] * layers)
        self.inference = [gemm + "_tn", elementwise(f"{kind}_kernel"), f"{NATIVE}{kind}_norm_kernel<float>"] * layers


class Program:
    """`names_updates`: PyTorch's range stands around each update; None: where nothing else tells it."""

    def __init__(self, optimizer="fused", has_autograd=True, names_updates=None):
        self.trace = Trace()
        self.optimizer = OPTIMIZERS[optimizer]
        self.names_updates = optimizer == "plain" if names_updates is None else names_updates
        self.backward_thread = AUTOGRAD if has_autograd else MAIN
        self.now, self.free = 100, 0  # the host's time; when the device is done
        self.starts = []  # of each step's first span
        self.starts_step = False
        self.unfinished = 0  # steps without their end in the trace
        self.graphs = set()

    # The host's operations.

    def step(self):
        """Later work belongs to the next step."""
        self.starts_step = True

    def pause(self, us):
        self.now += us

    def _launched(self, us):
        """The times of a call made now, and the start of its work."""
        called, returned = self.now, self.now + CALL
        self.now = returned + BETWEEN
        start = max(self.free, returned + LATENCY)
        self.free = start + us
        if self.starts_step:
            self.starts.append(start)
            self.starts_step = False
        return (called, returned), start

    def kernel(self, *names, us=8, thread=MAIN):
        for name in names:
            launch, start = self._launched(us)
            self.trace.kernel(start, start + us, name, launch, thread)

    def capture(self, name, thread):
        """Captures a graph: nothing runs, the launches only add nodes."""
        self.graphs.add(name)
        launches = ["cudaLaunchKernel"] * 4
        for call in ("cudaStreamBeginCapture", *launches, "cudaStreamEndCapture", "cudaGraphInstantiate"):
            self.trace.call(call, self.now, self.now + CALL, thread)
            self.now += CALL + BETWEEN

    def graph(self, us=400, name="captured", thread=MAIN):
        """Launches a graph of kernels with uninformative names, as a compiler makes them; captured on first use."""
        if name not in self.graphs:
            self.capture(name, thread)
        launch, start = self._launched(us)
        correlation = self.trace.call("cudaGraphLaunch", *launch, thread)
        for part in range(4):
            at = start + part * us / 4
            self.trace.on_device(at, at + us / 4, f"{name}_part_{part}", correlation=correlation)

    def h2d(self, count=1, us=6):
        for _ in range(count):
            launch, start = self._launched(us)
            self.trace.copy(start, start + us, launch)

    def d2h(self, count=1, us=2):
        for _ in range(count):
            launch, start = self._launched(us)
            self.trace.copy(start, start + us, launch, "Memcpy DtoH (Device -> Pinned)")

    def fill(self, count=1, us=2):
        for _ in range(count):
            launch, start = self._launched(us)
            self.trace.on_device(start, start + us, "Memset (Device)", "gpu_memset",
                                 correlation=self.trace.call("cudaMemsetAsync", *launch))

    def sync(self, function="cudaStreamSynchronize"):
        end = max(self.now + CALL, self.free + LATENCY)
        self.trace.call(function, self.now, end)
        self.now = end + BETWEEN

    def read_back(self):
        self.d2h()
        self.sync()

    # The parts of training loops.

    def load(self, us=120, copies=2):
        self.pause(us)
        self.h2d(copies)

    def forward(self, network, loss=True):
        self.kernel(*network.forward, *(network.loss if loss else ()))

    def backward(self, network):
        self.kernel(*network.backward, thread=self.backward_thread)

    def train(self, network):
        self.forward(network)
        self.backward(network)

    def update(self, kernels=None):
        self.pause(10)
        start = self.now
        self.kernel(*(kernels or self.optimizer))
        if self.names_updates:
            self.trace.annotation("Optimizer.step#Adam.step", start, self.now)

    def clip(self):
        self.kernel(NORM, NORM, f"{NATIVE}reduce_kernel<512, 1, NormTwoOps>", elementwise("clamp"), SCALE_LISTS)

    def evaluate(self, network, batches, metric=True):
        for _ in range(batches):
            self.load()
            self.kernel(*network.inference, network.loss[0])
            if metric:
                self.kernel(f"{NATIVE}reduce_kernel<512, 1, ArgMaxOps>", elementwise("CompareEqFunctor"))
        self.read_back()

    def durations(self):
        """The durations in ns of all steps except the last, which ends with the program."""
        return [round((after - start) * 1000) for start, after in zip(self.starts, self.starts[1:])]

    @contextlib.contextmanager
    def numbered(self, number):
        """A step marked by the program itself."""
        start = self.now
        yield
        self.trace.step(number, start, self.now)
