#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "export/formats.h"
#include "export/output_file.h"
#include "export/table.h"
#include "metrics/call_tree/call_tree.h"

namespace tauprof {
namespace {

using Json = nlohmann::ordered_json;

// Names of frames, each once, in the order in which stacks need them.
class Frames {
 public:
  size_t of(const std::string& name) {
    const auto [known, is_new] = numbers_.try_emplace(name, list_.size());
    if (is_new) list_.push_back({{"name", table_text(name)}});
    return known->second;
  }
  Json take() { return std::move(list_); }

 private:
  std::unordered_map<std::string, size_t> numbers_;
  Json list_ = Json::array();
};

// Nodes with those inside of each behind it.
std::vector<uint32_t> depth_first(const CallTree& tree) {
  std::vector<std::vector<uint32_t>> inside(tree.nodes.size());
  for (uint32_t node = 1; node < tree.nodes.size(); ++node) inside[tree.nodes[node].parent].push_back(node);
  std::vector<uint32_t> order, next;
  if (!tree.nodes.empty()) next.push_back(0);
  while (!next.empty()) {
    const uint32_t node = next.back();
    next.pop_back();
    order.push_back(node);
    next.insert(next.end(), inside[node].rbegin(), inside[node].rend());
  }
  return order;
}

Json stack_of(const CallTree& tree, uint32_t node, Frames& frames) {
  std::vector<size_t> stack;
  for (uint32_t at = node; at != 0; at = tree.nodes[at].parent) stack.push_back(frames.of(tree.name_of(at)));
  if (stack.empty()) stack.push_back(frames.of("outside"));
  std::reverse(stack.begin(), stack.end());
  return stack;
}

Json profile(const CallTree& tree, std::string name, Nanoseconds PathTimes::*weight, Frames& frames) {
  Json samples = Json::array(), weights = Json::array();
  Nanoseconds sum = 0;
  for (const uint32_t node : depth_first(tree)) {
    const Nanoseconds time = tree.times[node].*weight;
    if (time <= 0) continue;
    samples.push_back(stack_of(tree, node, frames));
    weights.push_back(time);
    sum += time;
  }
  return {{"type", "sampled"}, {"name", std::move(name)}, {"unit", "nanoseconds"}, {"startValue", 0},
          {"endValue", sum},   {"samples", samples},      {"weights", weights}};
}

class SpeedscopeWriter : public RunWriter {
 public:
  explicit SpeedscopeWriter(std::string path) : path_(std::move(path)) {}

  Status start(const RunView&) override { return file_.open(path_); }

  Status add_rank(const RunView&, const RankView&) override { return Status::ok(); }

  Status finish(const RunView& run) override {
    for (const RankMetrics& chosen : run.report.metrics.ranks)
      for (const RankTimeline& rank : run.ranks)
        if (rank.rank == chosen.rank) add(rank, run.report.metrics.steps.selection);
    const Json document = {{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                           {"exporter", "tauprof"},
                           {"name", table_text(run.report.facts.id)},
                           {"activeProfileIndex", 0},
                           {"shared", {{"frames", frames_.take()}}},
                           {"profiles", std::move(profiles_)}};
    file_.write(document.dump(-1, ' ', false, Json::error_handler_t::replace));
    file_.write("\n");
    return file_.close();
  }

 private:
  void add(const RankTimeline& rank, const StepSelection& steps) {
    const CallTree tree = call_tree({&rank}, steps);
    const std::string name = "rank " + std::to_string(rank.rank);
    profiles_.push_back(profile(tree, name + ", device", &PathTimes::device, frames_));
    profiles_.push_back(profile(tree, name + ", host", &PathTimes::host, frames_));
  }

  std::string path_;
  OutputFile file_;
  Frames frames_;
  Json profiles_ = Json::array();
};

}  // namespace

std::unique_ptr<RunWriter> speedscope_writer(const std::string& path) {
  return std::make_unique<SpeedscopeWriter>(path);
}

}  // namespace tauprof
