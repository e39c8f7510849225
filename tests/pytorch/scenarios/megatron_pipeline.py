"""Megatron-core's pipeline: a GPT whose layers lie on several ranks, by its schedule of one forward, one backward.

    torchrun --nproc-per-node 3 megatron_pipeline.py
"""

import argparse
import os
import warnings

warnings.filterwarnings("ignore")

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
from megatron.core import parallel_state  # noqa: E402
from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec  # noqa: E402
from megatron.core.models.gpt.gpt_model import GPTModel  # noqa: E402
from megatron.core.pipeline_parallel.schedules import get_forward_backward_func  # noqa: E402
from megatron.core.tensor_parallel.random import model_parallel_cuda_manual_seed  # noqa: E402
from megatron.core.transformer.transformer_config import TransformerConfig  # noqa: E402

import calm_end  # noqa: E402
from phase_times import PhaseTimes  # noqa: E402

WORDS, LENGTH, BATCH = 1000, 64, 4


def make_model(layers, stages):
    config = TransformerConfig(num_layers=layers, hidden_size=128, num_attention_heads=4, use_cpu_initialization=True,
                               pipeline_dtype=torch.float32, pipeline_model_parallel_size=stages,
                               bias_dropout_fusion=False, masked_softmax_fusion=False,
                               gradient_accumulation_fusion=False, attention_softmax_in_fp32=False)
    return GPTModel(config, get_gpt_layer_local_spec(), WORDS, LENGTH,
                    pre_process=parallel_state.is_pipeline_first_stage(),
                    post_process=parallel_state.is_pipeline_last_stage()).cuda()


def forward_step(batches, model):
    tokens = next(batches).cuda()
    places = torch.arange(LENGTH, device="cuda").expand(BATCH, LENGTH)
    mask = torch.ones(1, 1, LENGTH, LENGTH, dtype=torch.bool, device="cuda").triu(1)
    output = model(tokens, places, mask, labels=tokens)

    def loss(per_word):
        mean = per_word.float().mean()
        return mean, {"loss": mean.detach()}

    return output, loss


def endless(seed):
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield torch.randint(WORDS, (BATCH, LENGTH), generator=generator)


def main():
    calm_end.at_exit()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--micro-batches", type=int, default=4)
    options = parser.parse_args()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count())
    dist.init_process_group("nccl")
    stages = dist.get_world_size()
    parallel_state.initialize_model_parallel(pipeline_model_parallel_size=stages)
    model_parallel_cuda_manual_seed(0)
    model = make_model(2 * stages, stages)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    forward_backward, batches, times = get_forward_backward_func(), endless(0), PhaseTimes()
    for number in range(1, options.steps + 1):
        with times.step(number):
            with times.phase("zero_grad_sched"):
                optimizer.zero_grad()
            forward_backward(forward_step_func=forward_step, data_iterator=batches, model=model,
                             num_microbatches=options.micro_batches, seq_length=LENGTH, micro_batch_size=BATCH,
                             forward_only=False)
            with times.phase("optim_step"):
                optimizer.step()
    torch.cuda.synchronize()
    if dist.get_rank() == 0:
        print(f"trained {options.steps} steps")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
