// Collectives and communicators from what the profiler wrote on kernels, or, where a kernel says
// nothing, on the operator that launched it (joined by external id).
//
// The log wants the count as passed to NCCL; the trace has the elements of both sides:
//   all-reduce, broadcast, reduce, send   in           all-gather, gather   in, what this rank sends
//   reduce-scatter, scatter, receive      out          all-to-all           in / group size
// An all-to-all of unequal parts has no such count: its bytes for other ranks are computed from the
// split sizes, which are rows of in / sum(splits) elements, where the trace lists them all.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/event_fields.h"
#include "import/name_cache.h"
#include "import/trace_metadata.h"
#include "log/writer.h"

namespace tauprof::kineto {

// "[0, 1, 2]" → 0, 1, 2. False: no list of numbers, or cut short by "...".
bool read_rank_list(std::string_view text, std::vector<int64_t>& ranks);

class CollectiveTable {
 public:
  // `metadata` may still grow while events come; `other_rank` is what else says the rank (or -1).
  CollectiveTable(log::Writer& writer, NameCache& names, const TraceMetadata& metadata, int64_t other_rank)
      : writer_(writer), names_(names), metadata_(metadata), other_rank_(other_rank) {}

  // An operator that says what it is about to launch.
  void remember(const EventArgs& args);

  // A kernel; true: a collective was written for it. Thread and duration of the call that launched
  // it are not known here: readers join them by correlation.
  bool add_kernel(const Event& kernel);

  // Appends the communicators, when the metadata is complete.
  void write_communicators() const;

 private:
  struct Group {
    std::string name;
    std::string ranks;  // as written
    int64_t size = 0;
  };
  log::Collective describe(const CollectiveArgs& args);
  void count_elements(const CollectiveArgs& args, log::Collective& record) const;
  int64_t communicator_of(const CollectiveArgs& args);
  std::vector<int64_t> members_of(const Group& group) const;
  int64_t rank() const { return metadata_.rank >= 0 ? metadata_.rank : other_rank_; }

  log::Writer& writer_;
  NameCache& names_;
  const TraceMetadata& metadata_;
  int64_t other_rank_;
  std::vector<Group> groups_;  // by communicator - 1
  std::map<std::string, int64_t> communicators_;
  std::unordered_map<int64_t, log::Collective> remembered_;  // by external id
};

}  // namespace tauprof::kineto
