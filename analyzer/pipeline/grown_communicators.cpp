#include "pipeline/grown_communicators.h"

#include <map>

#include "read/united_identities.h"

namespace tauprof {

void unite_grown_communicators(std::vector<RankTimeline>& ranks) {
  std::vector<CommunicatorOrigin> origins;
  for (const RankTimeline& rank : ranks)
    origins.insert(origins.end(), rank.communicator_origins.begin(), rank.communicator_origins.end());
  const std::map<uint64_t, uint64_t> identity_of = united_identities(origins);
  if (identity_of.empty()) return;
  const auto unite = [&](uint64_t& identity) {
    if (const auto known = identity_of.find(identity); known != identity_of.end()) identity = known->second;
  };
  for (RankTimeline& rank : ranks) {
    for (std::vector<RankCollective>* list : {&rank.collectives, &rank.untimed_collectives})
      for (RankCollective& collective : *list)
        if (collective.has_identity) unite(collective.communicator);
    for (CommunicatorProgress& communicator : rank.progress.communicators) unite(communicator.identity);
    for (CalledMessage& message : rank.progress.messages) unite(message.communicator);
    for (MessageCalls& calls : rank.progress.message_calls) unite(calls.communicator);
    for (const auto& [joined, identity] : identity_of)
      if (auto name = rank.communicator_names.extract(joined); !name.empty()) {
        name.key() = identity;
        rank.communicator_names.insert(std::move(name));
      }
  }
}

}  // namespace tauprof
