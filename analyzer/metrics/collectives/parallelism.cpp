#include "metrics/collectives/parallelism.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/collectives/bandwidth.h"
#include "metrics/collectives/communicator_name.h"

namespace tauprof {
namespace {

using log::Operation;

enum Part { kForwardPart, kBackwardPart, kOtherPart, kPartCount };

Part part_of(Phase phase) {
  if (phase == Phase::kForward) return kForwardPart;
  return phase == Phase::kBackward ? kBackwardPart : kOtherPart;
}

// Operations of one communicator may serve several purposes; the family tells them apart.
enum class Family : uint8_t { kMessages, kAllToAlls, kOthers };

Family family_of(const RankCollective& collective) {
  if (collective.operation == Operation::kAllToAll) return Family::kAllToAlls;
  return collective.rare->peer_calls.empty() ? Family::kOthers : Family::kMessages;
}

struct Traffic {
  uint64_t count = 0;
  double bytes = 0;
  Nanoseconds moving = 0;
  Nanoseconds exposed = 0;  // of what moves
};

// Bytes and calls of one family of a communicator's operations in the analysed steps, summed over its members.
struct Carried {
  Family family = Family::kOthers;
  std::string name;
  bool is_named = false;
  bool is_unequal = false;  // in some all-to-all, a rank did not receive what it sent
  bool is_one_way = false;  // some message was sent without receiving one at once
  int32_t size = 0;
  std::set<uint32_t> members;  // indices of timelines
  std::array<std::map<Operation, Traffic>, kPartCount> parts;
  uint64_t count = 0;
  double bytes = 0;
  Nanoseconds span = 0, wait = 0, exposed = 0;

  bool knows_sizes() const { return bytes > 0; }
  // In bytes, or in calls where no sizes are known.
  double amount(Part part, Operation operation) const {
    const Traffic carried = traffic(part, operation);
    return knows_sizes() ? carried.bytes : static_cast<double>(carried.count);
  }
  Traffic traffic(Part part, Operation operation) const {
    const auto found = parts[part].find(operation);
    return found == parts[part].end() ? Traffic() : found->second;
  }
};

struct Role {
  Parallelism kind = Parallelism::kOther;
  bool is_by_name = false;
  bool has_sequences = false;
  Sharding sharding = Sharding::kNone;
  auto key() const { return std::tuple(kind, is_by_name, has_sequences, sharding); }
};

// Words of names, as Megatron-LM ("TENSOR_MODEL_PARALLEL_GROUP") and PyTorch ("mesh_tp") give them.
std::optional<Parallelism> kind_in_name(const std::string& name) {
  static const std::map<std::string_view, Parallelism> kWords = {
      {"tensor", Parallelism::kTensor}, {"tp", Parallelism::kTensor},         {"pipeline", Parallelism::kPipeline},
      {"pp", Parallelism::kPipeline},   {"expert", Parallelism::kExpert},     {"ep", Parallelism::kExpert},
      {"moe", Parallelism::kExpert},    {"sequence", Parallelism::kSequence}, {"context", Parallelism::kSequence},
      {"cp", Parallelism::kSequence},   {"sp", Parallelism::kSequence},       {"ulysses", Parallelism::kSequence},
      {"data", Parallelism::kData},     {"dp", Parallelism::kData},           {"replicate", Parallelism::kData},
      {"fsdp", Parallelism::kSharded}};
  std::optional<Parallelism> found;
  std::string word;
  for (size_t i = 0; i <= name.size(); ++i) {
    const bool is_letter = i < name.size() && std::isalpha(static_cast<unsigned char>(name[i]));
    if (is_letter) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
      continue;
    }
    const auto known = kWords.find(word);
    word.clear();
    if (known == kWords.end()) continue;
    // "EXPERT_DATA_PARALLEL": replicas of experts; "data_context" and others belong to several.
    if (found && *found != known->second) return std::nullopt;
    found = known->second;
  }
  return found;
}

Sharding sharding_of(const Carried& carried) {
  const bool gathers_forward = carried.amount(kForwardPart, Operation::kAllGather) > 0;
  const bool gathers_backward = carried.amount(kBackwardPart, Operation::kAllGather) > 0;
  const double scattered =
      carried.amount(kBackwardPart, Operation::kReduceScatter) + carried.amount(kOtherPart, Operation::kReduceScatter);
  const double reduced = carried.amount(kBackwardPart, Operation::kAllReduce);
  if (gathers_forward && scattered > 0) return gathers_backward ? Sharding::kWeightsEachPass : Sharding::kWeightsOnce;
  const double updated = carried.amount(kOtherPart, Operation::kAllGather);
  const bool gathers_update = updated > 0 && updated >= kGatheredUpdate * std::max(scattered, reduced);
  return gathers_update && scattered + reduced > 0 ? Sharding::kOptimizer : Sharding::kNone;
}

Role role_by_traffic(const Carried& carried) {
  // Around a ring, each sends and receives at once.
  if (carried.family == Family::kMessages) return {carried.is_one_way ? Parallelism::kPipeline : Parallelism::kOther};
  if (carried.family == Family::kAllToAlls) return {carried.is_unequal ? Parallelism::kExpert : Parallelism::kExchange};
  const double forward = carried.amount(kForwardPart, Operation::kAllReduce);
  const double backward = carried.amount(kBackwardPart, Operation::kAllReduce);
  const double reduced = backward + carried.amount(kOtherPart, Operation::kAllReduce);
  if (carried.amount(kForwardPart, Operation::kReduceScatter) > 0) return {Parallelism::kTensor, false, true};
  const Sharding sharding = sharding_of(carried);
  if (sharding != Sharding::kNone) return {Parallelism::kSharded, false, false, sharding};
  const bool is_as_large = forward > 0 && backward > 0 && forward >= kTensorForward * backward;
  if (is_as_large && carried.knows_sizes()) return {Parallelism::kTensor};
  const double scattered =
      carried.amount(kBackwardPart, Operation::kReduceScatter) + carried.amount(kOtherPart, Operation::kReduceScatter);
  return reduced + scattered > 0 ? Role{Parallelism::kData} : Role{};
}

Role role_of(const Carried& carried) {
  const Role role = role_by_traffic(carried);
  const std::optional<Parallelism> named = carried.is_named ? kind_in_name(carried.name) : std::nullopt;
  // Ranks that share data may exchange something else on their communicator.
  const bool name_decides = carried.family == Family::kOthers || named != Parallelism::kData;
  if (!named || !name_decides) return role;
  if ((*named == Parallelism::kData || *named == Parallelism::kSharded) && role.kind == Parallelism::kSharded)
    return {Parallelism::kSharded, true, false, role.sharding};
  return {*named, true, *named == Parallelism::kTensor && role.has_sequences};
}

class ParallelismTable {
 public:
  ParallelismTable(const std::vector<RankTimeline>& ranks, const StepSelection& steps) : ranks_(ranks), steps_(steps) {
    for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
      for (const RankCollective& collective : ranks[rank].collectives) {
        if (collective.step != kNoStep && steps.has(ranks[rank].steps[collective.step].number)) add(rank, collective);
      }
    }
  }

  std::vector<ParallelGroups> fold() const {
    using Key = std::tuple<decltype(Role().key()), int32_t, std::vector<std::pair<int, Operation>>>;
    std::map<Key, std::vector<const Carried*>> alike;
    for (const auto& [communicator, carried] : carried_)
      alike[{role_of(carried).key(), carried.size, operations_of(carried)}].push_back(&carried);
    std::vector<ParallelGroups> result;
    for (const auto& [key, replicas] : alike) result.push_back(groups_of(replicas));
    std::stable_sort(result.begin(), result.end(), [](const ParallelGroups& a, const ParallelGroups& b) {
      return a.exposed_ns != b.exposed_ns ? a.exposed_ns > b.exposed_ns : a.span_ns > b.span_ns;
    });
    return result;
  }

 private:
  void add(uint32_t rank, const RankCollective& collective) {
    Carried& carried = carried_[{collective.has_identity, collective.communicator, family_of(collective)}];
    carried.family = family_of(collective);
    carried.members.insert(rank);
    carried.size = std::max({carried.size, collective.communicator_size, static_cast<int32_t>(carried.members.size())});
    if (carried.name.empty()) name(rank, collective, carried);
    const Operation operation = carried.family == Family::kMessages ? Operation::kSend : collective.operation;
    double bytes = static_cast<double>(collective.rare->bytes_out);
    if (bytes == 0 && collective.communicator_size > 0)
      bytes = static_cast<double>(
          collective_bytes(collective.operation, collective.count, collective.datatype, collective.communicator_size));
    carried.is_unequal |= collective.rare->bytes_in > 0 && collective.rare->bytes_in != collective.rare->bytes_out;
    carried.is_one_way |= collective.is_one_way();
    Traffic& traffic = carried.parts[part_of(collective.phase)][operation];
    ++traffic.count;
    traffic.bytes += bytes;
    traffic.moving += collective.end - collective.start - collective.wait();
    traffic.exposed += collective.exposed - collective.exposed_wait;
    ++carried.count;
    carried.bytes += bytes;
    carried.span += collective.end - collective.start;
    carried.wait += collective.wait();
    carried.exposed += collective.exposed;
  }

  void name(uint32_t rank, const RankCollective& collective, Carried& carried) const {
    const auto& names = ranks_[rank].communicator_names;
    const auto found = collective.has_identity ? names.find(collective.communicator) : names.end();
    carried.is_named = found != names.end() && !found->second.empty();
    if (carried.is_named)
      carried.name = found->second;
    else
      carried.name = collective.has_identity ? communicator_name({}, collective.communicator)
                                             : "unnamed-" + std::to_string(collective.communicator);
  }

  static std::vector<std::pair<int, Operation>> operations_of(const Carried& carried) {
    std::vector<std::pair<int, Operation>> operations;
    for (int part = 0; part < kPartCount; ++part)
      for (const auto& [operation, traffic] : carried.parts[static_cast<size_t>(part)])
        if (traffic.bytes > 0 || !carried.knows_sizes()) operations.emplace_back(part, operation);
    return operations;
  }

  ParallelGroups groups_of(const std::vector<const Carried*>& replicas) const {
    const Role role = role_of(*replicas.front());
    ParallelGroups groups;
    groups.kind = role.kind;
    groups.is_by_name = role.is_by_name;
    groups.has_sequences = role.has_sequences;
    groups.sharding = role.sharding;
    groups.size = replicas.front()->size;
    groups.groups = replicas.size();
    double windows = 0, step_ns = 0, compute = 0;
    for (const Carried* const carried : replicas) {
      groups.communicators.push_back(carried->name);
      add_members(*carried, windows, step_ns, compute);
      groups.calls += static_cast<double>(carried->count);
      groups.bytes += carried->bytes;
      groups.span_ns += static_cast<double>(carried->span);
      groups.wait_ns += static_cast<double>(carried->wait);
      groups.exposed_ns += static_cast<double>(carried->exposed);
      const Traffic forward = carried->traffic(kForwardPart, Operation::kAllGather);
      const Traffic backward = carried->traffic(kBackwardPart, Operation::kAllGather);
      groups.forward_gather_bytes += forward.bytes;
      groups.forward_gather_ns += static_cast<double>(forward.moving);
      groups.backward_gather_ns += static_cast<double>(backward.moving);
      groups.backward_gather_exposed_ns += static_cast<double>(backward.exposed);
    }
    if (step_ns > 0)
      groups.share_of_step = groups.span_ns / step_ns, groups.exposed_share = groups.exposed_ns / step_ns;
    for (double* const sum : {&groups.calls, &groups.bytes, &groups.span_ns, &groups.wait_ns, &groups.exposed_ns,
                              &groups.forward_gather_bytes, &groups.forward_gather_ns, &groups.backward_gather_ns,
                              &groups.backward_gather_exposed_ns})
      *sum /= std::max(1.0, windows);
    groups.compute_ns = compute / std::max(1.0, windows);
    return groups;
  }

  void add_members(const Carried& carried, double& windows, double& step_ns, double& compute) const {
    for (const uint32_t member : carried.members)
      for (const RankStep& step : ranks_[member].steps) {
        if (!steps_.has(step.number) || !step.device) continue;
        ++windows;
        step_ns += static_cast<double>(step.device->length());
        compute += static_cast<double>(step.compute);
      }
  }

  const std::vector<RankTimeline>& ranks_;
  const StepSelection& steps_;
  std::map<std::tuple<bool, uint64_t, Family>, Carried> carried_;
};

}  // namespace

std::vector<ParallelGroups> parallelism_of(const std::vector<RankTimeline>& ranks, const StepSelection& steps) {
  return ParallelismTable(ranks, steps).fold();
}

}  // namespace tauprof
