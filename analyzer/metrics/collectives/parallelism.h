// How the ranks share the work, told from what each communicator carries and when.
//
//   tensor     all-reduces in the forward pass that are about as large as those in the backward pass; or gathers and
//              reduce-scatters in the forward pass (of sequences, between layers that are split)
//   sharded    weights are gathered in the forward pass, and gradients are reduce-scattered in the backward pass (FSDP,
//              ZeRO); or gradients are reduced and the update's results gathered (a sharded optimizer)
//   data       gradients are reduced in the backward pass or with the update
//   pipeline   messages that are sent without receiving one at once, as around a ring
//   expert     all-to-alls in which ranks receive more or less than they send; equal ones may as well carry
//              sequences or rows of tables: exchange
//
// Messages, all-to-alls and the other operations of a communicator are told apart. One whose name says what it is for
// (Megatron-LM, PyTorch's device meshes) is taken by its word. Those that do the same among as many ranks are replicas
// and are one entry. Example: eight ranks, two to a layer. Ranks 0 and 1, 2 and 3 … reduce 40 MB in the forward pass
// and 40 MB in the backward pass: tensor, four groups of 2. Ranks 0, 2, 4, 6 and 1, 3, 5, 7 reduce gradients: data, two
// groups of 4.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

enum class Parallelism : uint8_t { kData, kSharded, kTensor, kSequence, kPipeline, kExpert, kExchange, kOther };
inline constexpr std::array<std::string_view, 8> kParallelismNames = {"data",     "sharded", "tensor",   "sequence",
                                                                      "pipeline", "expert",  "exchange", "other"};

// The data gathered anew: with stage 3 of ZeRO the weights for each pass, with stage 2 once a step, in the forward
// pass; with stage 1 or 2 the update's results.
enum class Sharding : uint8_t { kNone, kWeightsEachPass, kWeightsOnce, kOptimizer };
inline constexpr std::array<std::string_view, 4> kShardingNames = {"", "weights_each_pass", "weights_once",
                                                                   "optimizer"};

// Times and bytes are per rank of the groups and step.
struct ParallelGroups {
  Parallelism kind = Parallelism::kOther;
  bool is_by_name = false;
  bool has_sequences = false;  // tensor: gathers and scatters sequences
  Sharding sharding = Sharding::kNone;
  int32_t size = 0;  // ranks of a group
  size_t groups = 0;
  std::vector<std::string> communicators;
  double calls = 0;
  double bytes = 0;  // sizes as nccl-tests count them; 0: not known
  double span_ns = 0;
  double wait_ns = 0;
  double exposed_ns = 0;
  double share_of_step = 0;  // of the members' steps, in which their communication ran
  double exposed_share = 0;
  // Sharded: weights gathered in each pass.
  double forward_gather_bytes = 0;
  double forward_gather_ns = 0;   // without waiting
  double backward_gather_ns = 0;  // the same
  double backward_gather_exposed_ns = 0;
  double compute_ns = 0;  // of the members
};

// The largest share of steps first.
std::vector<ParallelGroups> parallelism_of(const std::vector<RankTimeline>& ranks, const StepSelection& steps);

}  // namespace tauprof
