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
           {"--batch", &o.batch, "sequences in a micro-batch of a rank", 1},
           {"--sequence", &o.sequence, "tokens in a sequence, a multiple of 8", 8},
           {"--vocabulary", &o.vocabulary, "different tokens, a multiple of 8", 8},
           {"--micro-batches", &o.micro_batches, "micro-batches in a step", 1},
           {"--small", &o.small, "4 layers of width 2048, 16 heads, 6 sequences of 1024 tokens, 8000 different ones"}}};
}

OptionGroup rank_rows(Options& o) {
  return {"Ranks and parallelism (what --tensor and --pipeline leave of the ranks is data parallel)",
          {{"--ranks", &o.ranks, "start so many ranks here; without it one runs, or what torchrun or mpirun says"},
           {"--tensor", &o.tensor, "ranks that share each layer", 1},
           {"--pipeline", &o.pipeline, "stages of layers, in a one-forward-one-backward schedule", 1},
           {"--stage-layers", &o.stage_layers, "layers of each stage, separated by commas (default: equal)"},
           {"--wait-for-messages", &o.wait_for_messages,
            "with --pipeline: the host waits for the device after each exchange, as Megatron does"},
           {"--zero", &o.zero, "shard the weights over the data-parallel ranks: gather and reduce-scatter per layer"},
           {"--no-prefetch", &o.no_prefetch, "with --zero: gather a layer only when it is needed"},
           {"--experts", &o.experts, "one expert per data-parallel rank, all-to-all before and after it"},
           {"--expert-imbalance", &o.expert_imbalance, "tokens for expert 0, relative to the others", 0.01}}};
}

OptionGroup gradient_rows(Options& o) {
  return {"Gradients",
          {{"--bucket-mb", &o.bucket_mb, "size of the buckets in which gradients are reduced during backward", 0.001},
           {"--one-bucket", &o.one_bucket, "reduce all gradients at once, after backward"},
           {"--sync-every-micro-batch", &o.sync_every_micro_batch, "reduce after each micro-batch, not once a step"},
           {"--collectives-on-compute-stream", &o.collectives_on_compute_stream, "no stream of their own"},
           {"--backward-on-main-thread", &o.backward_on_main_thread, "issue backward from the main thread"},
           {"--backward-thread-name", &o.backward_thread_name, "name of the thread that issues backward"},
           {"--clip", &o.clip, "clip the gradients' norm to this"},
           {"--clip-reads-norm", &o.clip_reads_norm, "with --clip: the host reads the norm, which blocks it"},
           {"--unfused-optimizer", &o.unfused_optimizer, "seven launches per tensor instead of one for many tensors"}}};
}

OptionGroup input_rows(Options& o) {
  return {"Input",
          {{"--loader-ms", &o.loader_ms, "time to load a micro-batch"},
           {"--loader-spike-ms", &o.loader_spike_ms, "additional time for one micro-batch now and then"},
           {"--loader-spike-every", &o.loader_spike_every, "one such in so many", 1},
           {"--data-stall", &o.data_stall, "ms: the first micro-batch of a step takes so much longer to load"},
           {"--loader-on-main-thread", &o.loader_on_main_thread, "load when the batch is needed, not ahead"},
           {"--prefetch", &o.prefetch, "micro-batches that are loaded ahead", 1},
           {"--pageable", &o.pageable, "copy from pageable memory, not from pinned"},
           {"--copy-stream", Choice{&o.copy_stream, {"own", "compute", "default"}}, "stream of the input copies"}}};
}

OptionGroup device_rows(Options& o) {
  return {"Device",
          {{"--gemm", Choice{&o.gemm, {"both", "cublas", "cublaslt"}}, "library of the matrix products"},
           {"--graph", &o.graph, "replay forward and backward as a graph from the second step on"},
           {"--slices", &o.slices, "cut each elementwise kernel into so many launches", 1},
           {"--scratch", Choice{&o.scratch, {"kept", "malloc", "pool"}},
            "activations: kept between uses, cudaMalloc and cudaFree each time, or stream-ordered"},
           {"--memory-growth-mb", &o.memory_growth_mb, "lose so much device memory every step"},
           {"--slow-rank", &o.slow_rank, "percent: so many more matrix products"}}};
}

OptionGroup host_rows(Options& o) {
  return {"Host",
          {{"--loss-every", &o.loss_every, "read the loss back every so many steps, which blocks; 0: never"},
           {"--sync-every-layer", &o.sync_every_layer, "wait for the device after each layer"},
           {"--sync-every-step", &o.sync_every_step, "wait for the device after each step"},
           {"--barrier-every-step", &o.barrier_every_step, "wait for all ranks after each step"},
           {"--layer-sync", &o.layer_sync,
            "ms: wait for the device after each layer, and look again and again for so long"},
           {"--host-stall", &o.host_stall, "ms: the host pauses between two calls"},
           {"--host-work", &o.host_work, "ms: the host computes before it launches anything"},
           {"--hog-cpu", &o.hog_cpu, "threads that spin on the host's CPU"},
           {"--log-every", &o.log_every, "write a log every so many steps, on the main thread"},
           {"--log-ms", &o.log_ms, "time that writing the log takes"},
           {"--checkpoint-every", &o.checkpoint_every, "save the weights every so many steps"},
           {"--checkpoint-file", &o.checkpoint_file, "where rank 0 writes them; without it they are only copied"},
           {"--checkpoint-rank", &o.checkpoint_rank, "only this rank saves them", -1},
           {"--eval-every", &o.eval_every, "evaluate every so many steps"},
           {"--eval-batches", &o.eval_batches, "micro-batches of an evaluation", 1},
           {"--eval-rank", &o.eval_rank, "only this rank evaluates", -1}}};
}

OptionGroup output_rows(Options& o) {
  return {"Output",
          {{"--nvtx", &o.nvtx, "mark steps and phases with NVTX ranges"},
           {"--timing", &o.timing, "print how long each step took on the host"}}};
}

}  // namespace

std::vector<OptionGroup> option_table(Options& options) {
  return {size_rows(options),   rank_rows(options), gradient_rows(options), input_rows(options),
          device_rows(options), host_rows(options), output_rows(options)};
}

}  // namespace training
