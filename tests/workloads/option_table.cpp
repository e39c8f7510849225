// See option_table.h.
#include "option_table.h"

namespace training {
namespace {

OptionGroup size_rows(Options& o) {
  return {"Size",
          {{"--steps", &o.steps, "training steps", 1},
           {"--layers", &o.layers, "transformer layers", 1},
           {"--hidden", &o.hidden, "width of the layers, a multiple of 64, at most 8192", 64},
           {"--heads", &o.heads, "attention heads", 1},
           {"--batch", &o.batch, "sequences per micro-batch of a rank", 1},
           {"--sequence", &o.sequence, "tokens per sequence, a multiple of 8", 8},
           {"--vocabulary", &o.vocabulary, "number of different tokens, a multiple of 8", 8},
           {"--micro-batches", &o.micro_batches, "micro-batches per step", 1},
           {"--small", &o.small, "4 layers of width 2048, 16 heads, 6 sequences of 1024 tokens, vocabulary 8000"}}};
}

OptionGroup rank_rows(Options& o) {
  return {"Ranks and parallelism (ranks / (--tensor * --pipeline) are data parallel)",
          {{"--ranks", &o.ranks, "start this many ranks here; without it: one rank, or as torchrun or mpirun says"},
           {"--tensor", &o.tensor, "ranks that share each layer (tensor parallelism)", 1},
           {"--pipeline", &o.pipeline, "pipeline stages, in a one-forward-one-backward schedule", 1},
           {"--stage-layers", &o.stage_layers, "layers of each stage (default: equal)"},
           {"--wait-for-messages", &o.wait_for_messages,
            "with --pipeline: the host waits for the device after each exchange, like Megatron"},
           {"--zero", &o.zero, "shard the weights over the data-parallel ranks: gather and reduce-scatter each layer"},
           {"--zero-stage", Choice{&o.zero_stage, {"3", "2"}},
            "with --zero: 2 gathers each layer once after its update and keeps it"},
           {"--no-prefetch", &o.no_prefetch, "with --zero: gather each layer only when it is needed"},
           {"--experts", &o.experts, "one expert per data-parallel rank, with an all-to-all before and after it"},
           {"--expert-imbalance", &o.expert_imbalance, "tokens for expert 0, relative to the others", 0.01}}};
}

OptionGroup gradient_rows(Options& o) {
  return {"Gradients",
          {{"--bucket-mb", &o.bucket_mb, "size of the buckets of gradients reduced during backward", 0.001},
           {"--one-bucket", &o.one_bucket, "reduce all gradients at once, after backward"},
           {"--windows", &o.windows, "keep gradients in a window of NCCL's, for which it has symmetric kernels"},
           {"--sync-every-micro-batch", &o.sync_every_micro_batch,
            "reduce gradients after each micro-batch instead of once per step"},
           {"--collectives-on-compute-stream", &o.collectives_on_compute_stream, "no separate stream for collectives"},
           {"--backward-on-main-thread", &o.backward_on_main_thread, "issue backward from the main thread"},
           {"--backward-thread-name", &o.backward_thread_name, "name of the thread that issues backward"},
           {"--clip", &o.clip, "clip the norm of the gradients to this"},
           {"--clip-reads-norm", &o.clip_reads_norm, "with --clip: the host reads the norm, which blocks"},
           {"--unfused-optimizer", &o.unfused_optimizer,
            "seven launches per tensor instead of one launch for many tensors"}}};
}

OptionGroup input_rows(Options& o) {
  return {"Input",
          {{"--loader-ms", &o.loader_ms, "time to load a micro-batch"},
           {"--loader-spike-ms", &o.loader_spike_ms, "additional loading time of an occasional micro-batch"},
           {"--loader-spike-every", &o.loader_spike_every, "one micro-batch in N is such", 1},
           {"--data-stall", &o.data_stall, "X ms more to load the first micro-batch of a step"},
           {"--loader-on-main-thread", &o.loader_on_main_thread, "load each batch when it is needed, not ahead"},
           {"--loader-workers", &o.loader_workers, "threads that load ahead, at most --prefetch", 1},
           {"--prefetch", &o.prefetch, "micro-batches loaded ahead", 1},
           {"--pageable", &o.pageable, "copy from pageable instead of pinned memory"},
           {"--copy-stream", Choice{&o.copy_stream, {"own", "compute", "default"}}, "stream of the input copies"}}};
}

OptionGroup device_rows(Options& o) {
  return {"Device",
          {{"--gemm", Choice{&o.gemm, {"both", "cublas", "cublaslt"}}, "library of the matrix products"},
           {"--graph", &o.graph, "replay forward and backward as graphs from the second step on"},
           {"--slices", &o.slices, "split each elementwise kernel into this many launches", 1},
           {"--scratch", Choice{&o.scratch, {"kept", "malloc", "pool"}},
            "memory of activations: kept between uses, cudaMalloc and cudaFree each time, or a stream-ordered pool"},
           {"--memory-growth-mb", &o.memory_growth_mb, "leak this much device memory in every step"},
           {"--host-function-ms", &o.host_function_ms, "the update waits on its stream for a host function of X ms"},
           {"--slow-rank", &o.slow_rank, "X percent more work in matrix products"}}};
}

OptionGroup host_rows(Options& o) {
  return {"Host",
          {{"--loss-every", &o.loss_every, "steps between blocking readbacks of the loss; 0: never"},
           {"--sync-every-layer", &o.sync_every_layer, "wait for the device after each layer"},
           {"--sync-every-step", &o.sync_every_step, "wait for the device after each step"},
           {"--barrier-every-step", &o.barrier_every_step, "synchronize all ranks after each step"},
           {"--layer-sync", &o.layer_sync, "wait for the device after each layer and then poll it for X ms"},
           {"--host-stall", &o.host_stall, "the host pauses for X ms between two calls"},
           {"--host-work", &o.host_work, "the host computes for X ms before it launches anything"},
           {"--hog-cpu", &o.hog_cpu, "X threads spin on the rank's CPU"},
           {"--log-every", &o.log_every, "steps between log entries, written on the main thread"},
           {"--log-ms", &o.log_ms, "time that a log entry takes"},
           {"--checkpoint-every", &o.checkpoint_every, "steps between checkpoints of the weights"},
           {"--checkpoint-file", &o.checkpoint_file,
            "file that rank 0 writes; without it the weights are only copied to the host"},
           {"--checkpoint-rank", &o.checkpoint_rank, "only this rank saves checkpoints", -1},
           {"--eval-every", &o.eval_every, "steps between evaluations"},
           {"--eval-batches", &o.eval_batches, "micro-batches per evaluation", 1},
           {"--eval-rank", &o.eval_rank, "only this rank evaluates", -1}}};
}

OptionGroup output_rows(Options& o) {
  return {"Output",
          {{"--nvtx", &o.nvtx, "mark steps and phases with NVTX ranges"},
           {"--timing", &o.timing, "print how long each step took on the host"},
           {"--flops", &o.flops, "print the floating-point operations of each rank's matrix products in each step"}}};
}

}  // namespace

std::vector<OptionGroup> option_table(Options& options) {
  return {size_rows(options),   rank_rows(options), gradient_rows(options), input_rows(options),
          device_rows(options), host_rows(options), output_rows(options)};
}

}  // namespace training
