// A training program for one or many GPUs: see options.h, or --help.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <string>

#include "checks.h"
#include "launcher.h"
#include "markers.h"
#include "options.h"
#include "ranks.h"
#include "trainer.h"

namespace {

constexpr int kWrongUsage = 2;

int refuse(const std::string& mistake) {
  std::fprintf(stderr, "training: %s; --help lists the options\n", mistake.c_str());
  return kWrongUsage;
}

int train(const training::Options& options, const training::RankPlacement& placement) {
  training::name_rank(placement.rank);
  training::set_up_markers(options.nvtx);
  int devices = 0;
  training::check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  const int device = placement.local_rank % devices;
  training::check(cudaSetDevice(device), "cudaSetDevice");
  training::Trainer trainer(options, placement, device);
  trainer.run();
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const auto [options, mistake, help] = training::parse_options(count, arguments);
  if (help) {
    std::fputs(training::help_text().c_str(), stdout);
    return 0;
  }
  if (mistake) return refuse(*mistake);
  const auto placement = training::rank_from_environment();
  if (placement && options.ranks > 0 && options.ranks != placement->ranks) {
    return refuse("--ranks is not what the launcher started");
  }
  const int ranks = placement ? placement->ranks : options.ranks > 0 ? options.ranks : 1;
  if (const auto conflict = training::mistake_in(options, ranks)) return refuse(*conflict);
  if (!placement && options.ranks > 0) return training::launch_ranks(ranks, arguments);
  return train(options, placement.value_or(training::RankPlacement{}));
}
