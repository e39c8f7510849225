// Collectives and messages in flight: which members have arrived, and when each is done.
//
// An all-pairs operation transfers once its last member has arrived: end = last arrival + transfer +
// a small scatter per rank. The members of a broadcast wait only for its root. A message needs both
// sides, except that a buffered sender continues alone.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "communicators.h"
#include "job_events.h"
#include "job_spec.h"

namespace tauprof::generator {

int64_t datatype_bytes(log::DataType datatype);

class CollectiveUnits {
 public:
  CollectiveUnits(const JobSpec& spec, const Communicators& communicators, JobObserver& observer)
      : spec_(spec), communicators_(communicators), observer_(observer) {}

  struct Membership {
    int64_t unit;
    int part;
  };

  // `rank` has issued `call`.
  Membership join(int rank, const HostCall& call);

  // The member's device work has started; appends the ranks whose end became known to `released`.
  void arrive(Membership membership, int64_t time, std::vector<int>& released);

  int64_t end_of(Membership membership) const { return unit(membership.unit).parts[membership.part].end; }

  // Frees the units, which must all be complete.
  void forget_all();

 private:
  using Key = std::tuple<int, int, int, int64_t>;  // communicator, source, destination, sequence
  const CollectiveUnit& unit(int64_t id) const { return units_[id - first_id_]; }
  Key key_of(const Communicator& communicator, int index, int rank, const HostCall& call);
  CollectiveUnit make_unit(int64_t id, int communicator_index, const Key& key, const HostCall& call) const;
  int64_t earliest_end(const CollectiveUnit& unit, size_t part) const;
  int64_t transfer_ns(const CollectiveUnit& unit) const;
  int64_t scatter_ns(const CollectiveUnit& unit, size_t part) const;

  const JobSpec& spec_;
  const Communicators& communicators_;
  JobObserver& observer_;
  std::vector<CollectiveUnit> units_;
  int64_t first_id_ = 0;
  std::map<Key, int64_t> by_key_;
  std::map<std::tuple<int, int, int, bool>, int64_t> messages_;  // sent or received so far
};

}  // namespace tauprof::generator
