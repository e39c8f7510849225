#include "operations/job_dependencies.h"

#include <algorithm>
#include <map>
#include <utility>

#include "operations/message_match.h"
#include "operations/operation_order.h"

namespace tauprof {
namespace {

class DependencySearch {
  using enum OperationType;

 public:
  DependencySearch(const OperationGrid& grid, bool uses_data_parallel, JobDependencies& found)
      : grid_(grid), uses_data_parallel_(uses_data_parallel), found_(found), pairs_(grid) {
    found_.before.resize(grid.operations().size());
    has_place_.resize(grid.operations().size());
    for (int32_t stage = 0; stage < grid.stages(); ++stage) is_overlapped_ |= grid.count(kSeparateReduction, stage) > 0;
  }

  Status run() {
    for (int32_t stage = 0; stage < grid_.stages(); ++stage)
      if (Status status = search(stage); !status.is_ok()) return status;
    if (Status status = find_groups(); !status.is_ok()) return status;
    for (uint32_t operation = 0; operation < has_place_.size(); ++operation)
      if (!has_place_[operation]) return Status::error(without_place(operation));
    for (std::vector<uint32_t>& before : found_.before) {
      std::sort(before.begin(), before.end());
      before.erase(std::unique(before.begin(), before.end()), before.end());
    }
    return Status::ok();
  }

 private:
  using Operations = std::vector<uint32_t>;

  Status search(int32_t stage) {
    const Operations passes = in_order(grid_, stage, {kForwardCompute, kBackwardCompute});
    if (passes.empty()) return lacks(stage, "rows of forward-compute or backward-compute");
    chain(passes);
    for (const MessageKind& kind : kMessageKinds)
      if (Status status = search_messages(kind, stage); !status.is_ok()) return status;
    if (Status status = search_first_backward(passes, stage); !status.is_ok()) return status;
    if (uses_data_parallel_) {
      chain(in_order(grid_, stage, {kParameterGather, kGradientScatter}));
      if (Status status = search_gathers(stage); !status.is_ok()) return status;
      if (is_overlapped_)
        if (Status status = search_scatters(stage); !status.is_ok()) return status;
    }
    return search_after_passes(passes, stage);
  }

  Status search_messages(const MessageKind& kind, int32_t stage) {
    chain(in_order(grid_, stage, {kind.type}));
    std::vector<Message> messages;
    if (Status status = match_passes(grid_, kind, stage, messages); !status.is_ok()) return status;
    pairs_.add(kind, stage, messages);
    for (const Message& message : messages) {
      if (message.is_no_op) found_.groups.push_back({{message.operation}, false});
      if (!message.pass) continue;
      const uint32_t pass = *grid_.find(kind.pass, stage, *message.pass);
      if (kind.is_send) {
        add(pass, message.operation);
        continue;
      }
      add(message.operation, pass);
      if (*message.pass > 0) add(*grid_.find(kind.pass, stage, *message.pass - 1), message.operation);
    }
    return Status::ok();
  }

  // The first messages about gradients are launched after the last forward pass but one of the warm-up.
  Status search_first_backward(const Operations& passes, int32_t stage) {
    const auto type_of = [&](uint32_t operation) { return grid_.operations()[operation].type; };
    const auto first = std::find_if(passes.begin(), passes.end(),
                                    [&](uint32_t operation) { return type_of(operation) == kBackwardCompute; });
    if (first == passes.end() || first - passes.begin() < 2) return Status::ok();
    for (const OperationType type : {kBackwardReceive, kBackwardSend})
      if (const auto message = grid_.find(type, stage, 0)) add(first[-2], *message);
    return Status::ok();
  }

  // The last gather of a chunk's parameters is what its first forward pass waits for.
  Status search_gathers(int32_t stage) {
    std::map<int32_t, uint32_t> last;  // by chunk; sequences ascend
    for (size_t i = 0; i < grid_.count(kParameterGather, stage); ++i) {
      const uint32_t gather = *grid_.find(kParameterGather, stage, i);
      last[grid_.operations()[gather].chunk] = gather;
    }
    for (const auto& [chunk, gather] : last) {
      const Operations passes = of_chunk(stage, kForwardCompute, chunk);
      if (passes.empty()) return lacks_chunk(gather, kForwardCompute);
      add(gather, passes.front());
    }
    return Status::ok();
  }

  // The first scatter of a chunk's gradients waits for its last backward pass.
  Status search_scatters(int32_t stage) {
    std::map<int32_t, uint32_t> first;
    for (size_t i = 0; i < grid_.count(kGradientScatter, stage); ++i) {
      const uint32_t scatter = *grid_.find(kGradientScatter, stage, i);
      first.try_emplace(grid_.operations()[scatter].chunk, scatter);
    }
    for (const auto& [chunk, scatter] : first) {
      const Operations passes = of_chunk(stage, kBackwardCompute, chunk);
      if (passes.empty()) return lacks_chunk(scatter, kBackwardCompute);
      add(last_to_end(grid_, passes), scatter);
    }
    return Status::ok();
  }

  Status search_after_passes(const Operations& passes, int32_t stage) {
    const size_t scatters = uses_data_parallel_ ? grid_.count(kGradientScatter, stage) : 0;
    std::vector<std::pair<OperationType, size_t>> wanted = {{kGarbageCollection, 0}, {kLayernormReduction, 0}};
    if (stage == 0 || stage == grid_.stages() - 1) wanted.emplace_back(kEmbeddingReduction, 0);
    if (uses_data_parallel_ && is_overlapped_)
      wanted.emplace_back(kSeparateReduction, 0);
    else
      for (size_t i = 0; i < scatters; ++i) wanted.emplace_back(kGradientScatter, i);
    wanted.emplace_back(kClipping, 0);
    wanted.emplace_back(kOptimizer, 0);

    Operations tail = {last_to_end(grid_, passes)};
    for (const auto& [type, sequence] : wanted) {
      const auto operation = grid_.find(type, stage, sequence);
      if (!operation) return lacks(stage, "a row of " + std::string(name_of(type)));
      tail.push_back(*operation);
    }
    chain(tail);
    if (is_overlapped_ && scatters > 0)
      add(*grid_.find(kGradientScatter, stage, scatters - 1), *grid_.find(kLayernormReduction, stage, 0));
    return Status::ok();
  }

  Status find_groups() {
    std::vector<Operations> pairs;
    if (Status status = pairs_.take(pairs); !status.is_ok()) return status;
    for (Operations& pair : pairs) found_.groups.push_back({std::move(pair), false});
    const auto in_stages = [&](OperationType type, int32_t stride) {
      Operations members;
      for (int32_t stage = 0; stage < grid_.stages(); stage += stride) members.push_back(*grid_.find(type, stage, 0));
      return members;
    };
    found_.groups.push_back({in_stages(kEmbeddingReduction, std::max(1, grid_.stages() - 1)), false});
    found_.groups.push_back({in_stages(kClipping, 1), true});
    for (uint32_t operation = 0; uses_data_parallel_ && operation < grid_.operations().size(); ++operation)
      if (is_data_parallel(grid_.operations()[operation].type)) found_.groups.push_back({{operation}, true});
    return Status::ok();
  }

  Operations of_chunk(int32_t stage, OperationType type, int32_t chunk) const {
    Operations passes = in_order(grid_, stage, {type});
    passes.erase(std::remove_if(passes.begin(), passes.end(),
                                [&](uint32_t pass) { return grid_.operations()[pass].chunk != chunk; }),
                 passes.end());
    return passes;
  }

  void add(uint32_t before, uint32_t after) { found_.before[after].push_back(before); }
  void chain(const Operations& operations) {
    for (size_t i = 0; i < operations.size(); ++i) {
      has_place_[operations[i]] = true;
      if (i > 0) add(operations[i - 1], operations[i]);
    }
  }

  static Status lacks(int32_t stage, const std::string& what) {
    return Status::error("stage " + std::to_string(stage) + " lacks " + what + "; export all operations of a step");
  }
  Status lacks_chunk(uint32_t operation, OperationType pass) const {
    return Status::error(grid_.describe(operation) + " is for chunk " +
                         std::to_string(grid_.operations()[operation].chunk) + ", of which there is no " +
                         std::string(name_of(pass)) + "; correct mc");
  }
  std::string without_place(uint32_t operation) const {
    if (is_data_parallel(grid_.operations()[operation].type) && !uses_data_parallel_)
      return grid_.describe(operation) + " in a job of one data-parallel rank; correct dsp_size in meta.yaml";
    return grid_.describe(operation) +
           " has no place in a step: a stage has one such operation at most, and only the " +
           "first and last stage reduce embeddings; correct optype and seq_id";
  }

  const OperationGrid& grid_;
  const bool uses_data_parallel_;
  JobDependencies& found_;
  MessagePairs pairs_;
  bool is_overlapped_ = false;  // gradients are reduced while the last passes run
  std::vector<bool> has_place_;
};

}  // namespace

Status find_dependencies(const OperationGrid& grid, bool uses_data_parallel, JobDependencies& dependencies) {
  return DependencySearch(grid, uses_data_parallel, dependencies).run();
}

Status make_graph(const OperationGrid& grid, const JobDependencies& dependencies, int32_t dp_ranks,
                  OperationGraph<double>& graph) {
  const auto size = static_cast<uint32_t>(grid.operations().size());
  std::vector<OperationGraph<double>::Edge> edges;
  for (int32_t dp_rank = 0; dp_rank < dp_ranks; ++dp_rank) {
    for (const std::vector<uint32_t>& before : dependencies.before) {
      edges.clear();
      for (const uint32_t operation : before) edges.push_back({dp_rank * size + operation, 0});
      graph.add(0, edges);
    }
  }
  std::vector<OperationId> members;
  for (const OperationGroup& group : dependencies.groups) {
    members.clear();
    for (int32_t dp_rank = 0; dp_rank < dp_ranks; ++dp_rank) {
      for (const uint32_t member : group.members) members.push_back(dp_rank * size + member);
      if (group.spans_dp_ranks) continue;
      graph.add_meeting(members);
      members.clear();
    }
    if (group.spans_dp_ranks) graph.add_meeting(members);
  }
  if (graph.sort()) return Status::ok();
  std::vector<bool> is_sorted(graph.size());
  for (const OperationId operation : graph.order()) is_sorted[operation] = true;
  const auto stuck = std::find(is_sorted.begin(), is_sorted.end(), false) - is_sorted.begin();
  return Status::error(grid.describe(static_cast<uint32_t>(stuck) % size) +
                       " and others wait for each other in a circle; start_ts or seq_id of this step are not in the "
                       "order in which the job ran");
}

}  // namespace tauprof
