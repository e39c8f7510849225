"""Training jobs on the event model: data parallel, pipelines with and without replicas, sharded weights.

Each takes `defects`: {rank: {cause: amount}}, of all steps or of those for which `when(step)` is true. Amounts are
microseconds, for slow_compute a share. Returns the job and the length of its mean step.
"""

from __future__ import annotations

from event_model import Job, step_time

STEPS = 9
PRODUCT = "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn"
GRADIENT = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x3_nt"
ACTIVATION = "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl>(int)"
UPDATE = ("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
          "FusedAdamMathFunctor<float, 4>>(int)")
NCCL = "ncclDevKernel_{}(ncclDevKernelArgsStorage<4096ul>)"
COLLECTIVES = {"allreduce": (NCCL.format("AllReduce_Sum_bf16_RING_LL"), "nccl:all_reduce"),
               "_allgather_base": (NCCL.format("AllGather_RING_LL"), "nccl:_all_gather_base"),
               "_reduce_scatter_base": (NCCL.format("ReduceScatter_Sum_bf16_RING_LL"), "nccl:_reduce_scatter_base")}
COMPUTE, COMM, MESSAGES = 7, 20, 30  # streams


def described(name, elements, members, group, **more):
    return {"Collective name": name, "In msg nelems": elements, "Out msg nelems": elements, "Group size": len(members),
            "dtype": "BFloat16", "Process Group Name": group, "Process Group Ranks": str(list(members)), **more}


def communicate(rank, name, collective, members, group, elements=8 << 20, stream=COMM, thread="main", after=()):
    kernel, annotation = COLLECTIVES[name]
    with rank.range(annotation, thread=thread):
        rank.call("cudaStreamWaitEvent", 2, thread)
        return rank.kernel(kernel, stream=stream, thread=thread, after=after, joins=collective,
                           **described(name, elements, members, group))


def load(rank, defects, size=4 << 20):
    with rank.range("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"):
        rank.host(60 + defects.get("data_wait", 0))
    rank.copy_input(100, size)
    rank.slowdown = 1 + defects.get("slow_compute", 0)
    rank.launch_factor = 1 + defects.get("host_launch", 0)


def hold_up(rank, defects):
    """The defects that come once in a step, in the middle of its forward pass."""
    if "more_compute" in defects:
        rank.kernel(PRODUCT, defects["more_compute"], operator="aten::addmm")
    if "host_stall" in defects:
        rank.host(defects["host_stall"])
    if "allocation" in defects:
        for function in ("cudaFree", "cudaMalloc"):
            rank.call(function, defects["allocation"] / 2)


def read_loss(rank, defects):
    if "host_sync" in defects:
        rank.synchronize(COMPUTE)
        rank.host(30)


def update(rank, after):
    rank.slowdown = 1.0
    with rank.range("Optimizer.step#AdamW.step"):
        rank.kernel(UPDATE, 400, after=after, operator="aten::_fused_adamw_")
    with rank.range("Optimizer.zero_grad#AdamW.zero_grad"):
        rank.host(40)
    rank.launch_factor = 1.0


def run(job, defects, when, step_of):
    marks = [[] for _ in job.ranks]
    for rank in job.ranks:
        for step in range(STEPS):
            marks[rank.number].append(rank.host(0.1, is_exact=True))
            with rank.range(f"ProfilerStep#{step}"):
                step_of(rank, step, defects.get(rank.number, {}) if when(step) else {})
        marks[rank.number].append(rank.synchronize())
    job.solve()
    return job, step_time(marks)


def data_parallel(draw, defects, when, ranks=4, layers=6, overlaps=True, reads_loss=False, noise=0.01):
    job = Job(ranks, noise, draw)

    def step_of(rank, step, wrong):
        load(rank, wrong)
        for layer in range(layers):
            rank.kernel(PRODUCT, 900, operator="aten::addmm", cost=20)
            rank.kernel(ACTIVATION, 120, operator="aten::gelu", cost=20)
            if layer == 2:
                hold_up(rank, wrong)
            read_loss(rank, wrong)
        rank.host(3, "autograd", after=[rank.host(8)])
        reduced = []
        for layer in reversed(range(layers)):
            with rank.range("autograd::engine::evaluate_function: AddmmBackward0", "cpu_op", "autograd"):
                gradient = rank.kernel(GRADIENT, 1800, thread="autograd", operator="aten::mm", cost=20)
            if overlaps or layer == 0:
                reduced = [communicate(rank, "allreduce", job.collective((step, layer), 3000), range(ranks), "0",
                                       thread="autograd", after=[gradient])]
        rank.host(2, after=[rank.threads["autograd"]])
        update(rank, reduced)
        if reads_loss:
            rank.synchronize(COMPUTE)

    return run(job, defects, when, step_of)


def sharded(draw, defects, when, ranks=4, layers=5, noise=0.01):
    job = Job(ranks, noise, draw)

    def gather(rank, key, thread, after):
        return communicate(rank, "_allgather_base", job.collective(key, 700), range(ranks), "0", 2 << 20,
                           thread=thread, after=after)

    def step_of(rank, step, wrong):
        load(rank, wrong)
        forward, backward = [], []
        for layer in range(layers):
            weights = gather(rank, (step, "forward", layer), "main", forward[layer - 2:layer - 1])
            forward.append(rank.kernel(PRODUCT, 1500, after=[weights], operator="aten::addmm"))
            if layer == 1:
                hold_up(rank, wrong)
            read_loss(rank, wrong)
        rank.host(3, "autograd", after=[rank.host(8)])
        for layer in range(layers):
            weights = gather(rank, (step, "backward", layer), "autograd", backward[layer - 2:layer - 1])
            backward.append(rank.kernel(GRADIENT, 3000, thread="autograd", after=[weights], operator="aten::mm"))
            scattered = communicate(rank, "_reduce_scatter_base", job.collective((step, "scatter", layer), 900),
                                    range(ranks), "1", 2 << 20, COMM + 1, "autograd", backward[-1:])
        rank.host(2, after=[rank.threads["autograd"]])
        update(rank, [scattered])
        rank.synchronize(COMPUTE)

    return run(job, defects, when, step_of)


def schedule(stage, stages, batches, forwards_first):
    """[(is_forward, batch)]: GPipe's order, or one forward, one backward."""
    ahead = batches if forwards_first else min(stages - 1 - stage, batches)
    order = [(True, batch) for batch in range(ahead)]
    for batch in range(batches):
        if ahead + batch < batches:
            order.append((True, ahead + batch))
        order.append((False, batch))
    return order


def pipeline(draw, defects, when, stages=4, replicas=1, batches=8, forwards_first=False, group_per_pair=False,
             noise=0.01):
    """Rank = stage * replicas + replica. Messages to each neighbour and from it have streams of their own."""
    job = Job(stages * replicas, noise, draw)
    layers, length = 3, 1500

    def message(rank, kind, key, peer, after=()):
        low, high = min(rank.number, peer), max(rank.number, peer)
        if group_per_pair:
            members, group = (low, high), f"pp{low}_{high}"
        else:
            members = tuple(range(rank.number % replicas, stages * replicas, replicas))
            group = f"pp{rank.number % replicas}"
        stream = MESSAGES + 2 * (peer > rank.number) + (kind == "recv")
        with rank.range(f"nccl:{kind}"):
            return rank.kernel(NCCL.format("SendRecv"), stream=stream, after=after, joins=job.collective(key, 150),
                               **described(kind, 4 << 20, members, group),
                               **{"Dst Rank" if kind == "send" else "Src Rank": peer})

    def step_of(rank, step, wrong):
        stage, replica = divmod(rank.number, replicas)
        if stage in (0, stages - 1):
            load(rank, wrong, 1 << 20)
        rank.slowdown = 1 + wrong.get("slow_compute", 0)
        for is_forward, batch in schedule(stage, stages, batches, forwards_first):
            before, behind = rank.number - replicas, rank.number + replicas
            source, target = (before, behind) if is_forward else (behind, before)
            key = (step, is_forward, replica, batch)
            arrived = []
            if 0 <= source < len(job.ranks):
                arrived = [message(rank, "recv", (*key, rank.number), source)]
            for layer in range(layers):
                done = rank.kernel(PRODUCT if is_forward else GRADIENT, (1 if is_forward else 2) * length / layers,
                                   after=arrived if layer == 0 else (),
                                   operator="aten::addmm" if is_forward else "aten::mm")
            if is_forward and batch == batches // 2:
                hold_up(rank, wrong)
            if 0 <= target < len(job.ranks):
                message(rank, "send", (*key, target), target, [done])
        if replicas > 1:
            peers = range(stage * replicas, (stage + 1) * replicas)
            done = communicate(rank, "allreduce", job.collective((step, "gradients", stage), 800), peers, f"dp{stage}",
                               after=[done])
        update(rank, [done])
        communicate(rank, "allreduce", job.collective((step, "loss"), 30), range(len(job.ranks)), "job", 1, COMM + 1,
                    after=[rank.streams[COMPUTE]])
        rank.synchronize(COMM + 1)

    return run(job, defects, when, step_of)
