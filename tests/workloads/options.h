// The options of the training program. Every known defect of training programs is an option; all are off by default.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "disturbances.h"

namespace training {

struct Options {
  int ranks = 0;  // 0: not given
  int steps = 10;

  int layers = 8;
  int hidden = 4096;
  int heads = 32;
  int batch = 4;
  int sequence = 2048;
  int vocabulary = 32000;
  int micro_batches = 1;
  bool small = false;

  int tensor = 1;
  int pipeline = 1;
  std::vector<int> stage_layers;  // empty: equal
  bool zero = false;
  std::string zero_stage = "3";
  bool no_prefetch = false;
  bool experts = false;
  double expert_imbalance = 1;

  double bucket_mb = 64;
  bool one_bucket = false;
  bool windows = false;
  bool sync_every_micro_batch = false;
  bool collectives_on_compute_stream = false;
  bool backward_on_main_thread = false;
  std::string backward_thread_name = "pt_autograd_0";

  double loader_ms = 0;
  double loader_spike_ms = 0;
  int loader_spike_every = 5;
  Disturbances data_stall;
  bool loader_on_main_thread = false;
  int loader_workers = 1;
  int prefetch = 2;
  bool pageable = false;
  std::string copy_stream = "own";

  std::string gemm = "both";
  bool graph = false;
  int slices = 1;
  std::string scratch = "kept";
  double memory_growth_mb = 0;
  double host_function_ms = 0;
  Disturbances slow_rank;

  bool unfused_optimizer = false;
  double clip = 0;
  bool clip_reads_norm = false;

  int loss_every = 10;
  bool sync_every_layer = false;
  bool sync_every_step = false;
  bool wait_for_messages = false;
  bool barrier_every_step = false;
  Disturbances layer_sync;
  Disturbances host_stall;
  Disturbances host_work;
  Disturbances hog_cpu;
  int log_every = 0;
  double log_ms = 20;
  int checkpoint_every = 0;
  std::string checkpoint_file;
  int checkpoint_rank = -1;
  int eval_every = 0;
  int eval_rank = -1;
  int eval_batches = 2;

  bool nvtx = false;
  bool timing = false;
  bool flops = false;
};

struct ParsedOptions {
  Options options;
  std::optional<std::string> mistake;
  bool help = false;
};

ParsedOptions parse_options(int count, char** arguments);

// Which options contradict each other with this number of ranks; nullopt if none do.
std::optional<std::string> mistake_in(const Options& options, int ranks);

std::string help_text();

}  // namespace training
