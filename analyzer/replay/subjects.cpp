#include "replay/subjects.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "metrics/collectives/communicator_name.h"
#include "model/operation_names.h"
#include "model/phase.h"
#include "names/glob.h"

namespace tauprof {
namespace {

using Kind = Subject::Kind;

bool is_of_kind(Kind kind, const OperationLabel& operation) {
  switch (kind) {
    case Kind::kKernel:
      return operation.kind == OperationKind::kCompute || operation.kind == OperationKind::kOtherWork;
    case Kind::kPhase:
      return operation.kind != OperationKind::kComm;
    case Kind::kCopy:
      return operation.kind == OperationKind::kCopy;
    default:
      return operation.kind == OperationKind::kComm && operation.collective != kNoIndex;
  }
}

std::string_view word_for(Kind kind) {
  constexpr std::string_view kWords[] = {"kernel", "phase", "operation", "communicator", "copy", "communication"};
  return kWords[static_cast<size_t>(kind)];
}

// The longest in all first; the rest as a number.
std::string most_of(const std::map<std::string, Nanoseconds>& totals) {
  constexpr size_t kMost = 6, kWidth = 60;
  std::vector<std::pair<Nanoseconds, std::string>> names;
  for (const auto& [name, total] : totals) names.emplace_back(-total, name);
  std::sort(names.begin(), names.end());
  std::string text;
  for (size_t i = 0; i < std::min(kMost, names.size()); ++i) {
    const std::string& name = names[i].second;
    text += (i == 0 ? "" : ", ") + (name.size() > kWidth ? name.substr(0, kWidth) + "..." : name);
  }
  return names.size() > kMost ? text + " and " + std::to_string(names.size() - kMost) + " more" : text;
}

}  // namespace

std::string Subjects::name_of(Kind kind, size_t rank, const OperationLabel& operation) const {
  if (kind == Kind::kKernel) return run_.name(run_.name_of(rank, operation));
  if (kind == Kind::kPhase) {
    // Host time between two calls has the phase of the second, unless it waits for input.
    const bool waits_for_input = operation.kind == OperationKind::kBetween && operation.row == LedgerRow::kIdleDataWait;
    return std::string(phase_name(waits_for_input ? Phase::kDataloadWait : operation.phase));
  }
  if (kind == Kind::kCopy) return std::string(copy_name(operation.copy_kind));
  if (kind == Kind::kCommunication) return "*";
  const RankCollective& collective = ranks_[rank].collectives[operation.collective];
  if (kind == Kind::kOperation) return std::string(tauprof::name_of(collective.operation));
  if (!collective.has_identity) return {};
  const auto name = ranks_[rank].communicator_names.find(collective.communicator);
  return communicator_name(name == ranks_[rank].communicator_names.end() ? std::string() : name->second,
                           collective.communicator);
}

template <class Take>
void Subjects::for_operations(Kind kind, Take&& take) const {
  for (uint32_t rank = 0; rank < run_.rank_count(); ++rank)
    run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      if (is_of_kind(kind, operation))
        take(Operation{id, rank, operation.collective, run_.step_of(rank, operation), &operation}, operation);
    });
}

std::vector<Subjects::Operation> Subjects::named_by(const Subject& subject) const {
  std::vector<Operation> found;
  std::vector<std::optional<bool>> is_named(run_.name_count());  // of kernels, whose names are long
  for_operations(subject.kind, [&](const Operation& one, const OperationLabel& operation) {
    const auto matches = [&] {
      const std::string name = name_of(subject.kind, one.rank, operation);
      return !name.empty() && (subject.kind == Kind::kCommunication || matches_glob(subject.name, name));
    };
    if (subject.kind != Kind::kKernel) {
      if (matches()) found.push_back(one);
      return;
    }
    std::optional<bool>& known = is_named[run_.name_of(one.rank, operation)];
    if (!known) known = matches();
    if (*known) found.push_back(one);
  });
  return found;
}

std::string Subjects::nothing_is(const Subject& subject) const {
  const std::string word(word_for(subject.kind));
  std::map<std::string, Nanoseconds> totals;
  for_operations(subject.kind, [&](const Operation& one, const OperationLabel& operation) {
    if (std::string name = name_of(subject.kind, one.rank, operation); !name.empty())
      totals[std::move(name)] += run_.graph().duration(one.id);
  });
  const std::string asked = "no " + word + (subject.kind == Kind::kCommunication ? "" : " '" + subject.name + "'");
  return asked + " in this run; " + (totals.empty() ? "there is none at all" : "there are " + most_of(totals));
}

}  // namespace tauprof
