// Collectives and communicators from the arguments of kernels, or, if a kernel has none, from those of the operator
// that launched it (joined by external id).
//
// The log needs the count as passed to NCCL; the trace has the elements of both sides:
//   all-reduce, broadcast, reduce, send   in           all-gather, gather   in, what this rank sends
//   reduce-scatter, scatter, receive      out          all-to-all           in / group size
// An all-to-all of unequal parts has no such count. Its bytes to other ranks are computed from the split sizes, which
// count rows of in / sum(splits) elements, if the trace lists all of them.
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

// "[0, 1, 2]" → 0, 1, 2. False: not a list of numbers, or shortened with "...".
bool read_rank_list(std::string_view text, std::vector<int64_t>& ranks);

class CollectiveRecords {
 public:
  // `metadata` may grow while events come. `other_rank`: the rank if the metadata does not tell it; -1: not known.
  CollectiveRecords(log::Writer& writer, NameCache& names, const TraceMetadata& metadata, int64_t other_rank)
      : writer_(writer), names_(names), metadata_(metadata), other_rank_(other_rank) {}

  // Remembers the arguments of an operator for the kernels that it launches.
  void remember(const EventArgs& args);

  // Writes a collective for the kernel, if it carries one out, and returns whether it did. Thread and duration of the
  // launching call are not known here; readers join the kernel to its call by correlation.
  bool add_kernel(const Event& kernel);

  // Appends the communicators. The metadata must be complete.
  void write_communicators() const;

 private:
  struct Group {
    std::string name;
    std::string ranks;  // as the trace writes them
    int64_t size = 0;
  };
  log::Collective describe(const CollectiveArgs& args);
  void count_elements(const CollectiveArgs& args, log::Collective& record) const;
  int64_t communicator_of(const CollectiveArgs& args);
  int64_t peer_in_group(const MaybeNumber& rank_in_job, const Group& group) const;
  std::vector<int64_t> listed_members(const Group& group) const;
  std::vector<int64_t> members_of(const Group& group) const;
  bool is_whole_job(const Group& group) const { return group.size != 0 && group.size == metadata_.world_size; }
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
