#include "import/collective_records.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <numeric>

#include "import/collective_names.h"
#include "import/decimal.h"
#include "import/json_text.h"

namespace tauprof::kineto {
namespace {

using log::Operation;

constexpr size_t kMaxRemembered = 500000;
constexpr int64_t kMaxGroupSize = 1 << 20;

bool is_point_to_point(Operation operation) {
  return operation == Operation::kSend || operation == Operation::kReceive;
}

bool is_rooted(Operation operation) { return operation >= Operation::kBroadcast && operation <= Operation::kScatter; }

// The count passed to NCCL, except for an all-to-all.
const MaybeNumber& counted_side(const CollectiveArgs& args, Operation operation) {
  const bool is_output =
      operation == Operation::kReduceScatter || operation == Operation::kScatter || operation == Operation::kReceive;
  return is_output ? args.out_elements : args.in_elements;
}

bool all_equal(const std::vector<int64_t>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

std::string joined(const std::vector<int64_t>& ranks) { return fmt::format("{}", fmt::join(ranks, ",")); }

}  // namespace

bool read_rank_list(std::string_view text, std::vector<int64_t>& ranks) {
  ranks.clear();
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
  text = text.substr(1, text.size() - 2);
  if (text.find_first_not_of(' ') == std::string_view::npos) return true;
  for (bool goes_on = true; goes_on;) {
    const size_t comma = text.find(',');
    const std::optional<int64_t> rank = integer(text.substr(0, comma));
    if (!rank.has_value()) return false;
    ranks.push_back(*rank);
    goes_on = comma != std::string_view::npos;
    if (goes_on) text.remove_prefix(comma + 1);
  }
  return true;
}

void CollectiveRecords::remember(const EventArgs& args) {
  if (!args.external_id.is_set || operation_of(args.collective.name) == Operation::kUnknown) return;
  if (remembered_.size() >= kMaxRemembered) return;
  remembered_[args.external_id.value] = describe(args.collective);
}

bool CollectiveRecords::add_kernel(const Event& kernel) {
  const EventArgs& args = kernel.args;
  log::Collective record;
  if (!args.collective.name.empty()) {
    const Operation operation = operation_of(args.collective.name);
    // The operator also launches copies, which carry the same arguments.
    if (operation == Operation::kUnknown || kernel.name.find("at::native") != std::string_view::npos) return false;
    record = describe(args.collective);
  } else {
    if (!args.external_id.is_set || !kernel.name.starts_with("nccl")) return false;
    const auto known = remembered_.find(args.external_id.value);
    if (known == remembered_.end() || !may_carry_out(kernel.name, static_cast<Operation>(known->second.operation)))
      return false;
    record = known->second;
  }
  record.start = kernel.start_ns.value;
  record.correlation = args.correlation.value;
  writer_.append(record);
  return true;
}

log::Collective CollectiveRecords::describe(const CollectiveArgs& args) {
  const Operation operation = operation_of(args.name);
  log::Collective record;
  record.function = names_.id(args.name);
  record.communicator = communicator_of(args);
  record.operation = static_cast<int64_t>(operation);
  record.datatype = static_cast<int64_t>(datatype_of(args.datatype));
  // A process group numbers its sends and receives separately from its collectives.
  if (is_rooted(operation) && args.root.is_set && args.root.value >= 0) record.peer = args.root.value + 1;
  if (!is_point_to_point(operation))
    record.sequence = std::max<int64_t>(args.sequence.value, 0);
  else
    record.peer = peer_in_group(operation == Operation::kSend ? args.destination_rank : args.source_rank,
                                groups_[static_cast<size_t>(record.communicator - 1)]);
  count_elements(args, record);
  return record;
}

void CollectiveRecords::count_elements(const CollectiveArgs& args, log::Collective& record) const {
  const auto operation = static_cast<Operation>(record.operation);
  record.count = std::max<int64_t>(counted_side(args, operation).value, 0);
  if (operation != Operation::kAllToAll) return;
  const int64_t elements = record.count, size = args.group_size.value;
  record.count = 0;
  std::vector<int64_t> parts;
  if (!args.in_split.empty() && !read_rank_list(args.in_split, parts)) return;
  if (all_equal(parts)) {
    if (size <= 0 || elements % size != 0) return;
    record.count = elements / size;
    // It receives another size than it sends, so parts are equal on its side only.
    if (!args.out_elements.is_set || args.out_elements.value == elements) return;
    record.bytes_out = record.count * (size - 1) * bytes_of(datatype_of(args.datatype));
    record.count = 0;
    return;
  }
  std::vector<int64_t> members;
  if (!read_rank_list(args.group_ranks, members) || members.size() != parts.size()) return;
  const auto self = std::find(members.begin(), members.end(), rank());
  const int64_t rows = std::accumulate(parts.begin(), parts.end(), int64_t{0});
  if (self == members.end() || rows <= 0 || elements % rows != 0) return;
  const int64_t other_rows = rows - parts[static_cast<size_t>(self - members.begin())];
  record.bytes_out = other_rows * (elements / rows) * bytes_of(datatype_of(args.datatype));
}

int64_t CollectiveRecords::communicator_of(const CollectiveArgs& args) {
  const std::string key = fmt::format("{}\n{}\n{}", args.group_name, args.group_ranks, args.group_size.value);
  const auto [found, is_new] = communicators_.emplace(key, static_cast<int64_t>(groups_.size()) + 1);
  if (is_new) {
    const int64_t size = args.group_size.value;
    groups_.push_back(
        {unescape(args.group_name), std::string(args.group_ranks), size > 0 && size <= kMaxGroupSize ? size : 0});
  }
  return found->second;
}

// The log names a peer by its rank in the communicator, PyTorch by its rank in the job. Returns that rank + 1; 0: not
// known.
int64_t CollectiveRecords::peer_in_group(const MaybeNumber& rank_in_job, const Group& group) const {
  if (!rank_in_job.is_set || rank_in_job.value < 0 || rank_in_job.value >= kMaxGroupSize) return 0;
  const std::vector<int64_t> members = listed_members(group);
  if (members.empty()) return is_whole_job(group) && rank_in_job.value < group.size ? rank_in_job.value + 1 : 0;
  const auto peer = std::find(members.begin(), members.end(), rank_in_job.value);
  return peer != members.end() ? peer - members.begin() + 1 : 0;
}

// The ranks of a group, if the trace lists all of them.
std::vector<int64_t> CollectiveRecords::listed_members(const Group& group) const {
  std::vector<int64_t> members;
  if (read_rank_list(group.ranks, members) && !members.empty()) return members;
  const auto known = metadata_.groups.find(group.name);
  if (known == metadata_.groups.end() || static_cast<int64_t>(known->second.size()) != group.size) return {};
  return known->second;
}

// The ranks of a group, if all of them are known.
std::vector<int64_t> CollectiveRecords::members_of(const Group& group) const {
  std::vector<int64_t> members = listed_members(group);
  if (members.empty() && is_whole_job(group)) {
    members.resize(static_cast<size_t>(group.size));
    std::iota(members.begin(), members.end(), 0);
  }
  return members;
}

void CollectiveRecords::write_communicators() const {
  for (size_t i = 0; i < groups_.size(); ++i) {
    const Group& group = groups_[i];
    const std::vector<int64_t> members = members_of(group);
    const auto self = std::find(members.begin(), members.end(), rank());
    log::Communicator record;
    record.communicator = static_cast<int64_t>(i) + 1;
    if (!group.name.empty() || !group.ranks.empty()) {
      const std::string identity = fmt::format("{}\n{}\n{}", group.name, group.ranks, group.size);
      record.identity = static_cast<int64_t>(XXH3_64bits(identity.data(), identity.size()));
    }
    record.size = group.size;
    record.rank = self == members.end() ? -1 : self - members.begin();
    record.device = -1;
    record.name = names_.plain_id(group.name);
    record.members = names_.plain_id(joined(members));
    writer_.append(record);
  }
}

}  // namespace tauprof::kineto
