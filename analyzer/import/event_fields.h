// One event: its numbers, and its texts as views of the batch, without quotes and not unescaped. EventReader fills it;
// it is valid until the next event.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "import/category.h"

namespace tauprof::kineto {

// A number that may be missing.
struct MaybeNumber {
  int64_t value = 0;
  bool is_set = false;
  int64_t value_or(int64_t other) const { return is_set ? value : other; }
};

// The profiler's facts about a collective. PyTorch writes them on the operator `record_param_comms`
// (torch/csrc/profiler/util.cpp, saveNcclMeta), Kineto on the kernel that the operator launched
// (libkineto/src/output_json.cpp). Sizes are elements, not bytes; ranks are those of the whole job.
struct CollectiveArgs {
  std::string_view name;
  std::string_view datatype;
  std::string_view group_name;
  std::string_view group_ranks;  // "[0, 1]", or "[0, 1, …, 29, ...]", which ends after thirty
  std::string_view in_split;
  std::string_view out_split;
  MaybeNumber in_elements;
  MaybeNumber out_elements;
  MaybeNumber group_size;
  MaybeNumber sequence;
  MaybeNumber source_rank;
  MaybeNumber destination_rank;
  MaybeNumber root;  // in the group, of rooted operations; of others, the rank itself
};

struct EventArgs {
  MaybeNumber device;
  MaybeNumber in_device;  // of peer copies, instead of device
  MaybeNumber from_device;
  MaybeNumber to_device;
  MaybeNumber stream;
  MaybeNumber context;
  MaybeNumber correlation;
  MaybeNumber external_id;
  MaybeNumber bytes;
  std::optional<double> bandwidth;  // of copies, in GB/s
  MaybeNumber registers;
  MaybeNumber shared_memory;
  MaybeNumber graph;
  MaybeNumber graph_node;
  int64_t grid[3] = {};
  int64_t block[3] = {};
  std::string_view name;  // of metadata events
  MaybeNumber address;    // of memory events
  MaybeNumber total_allocated;
  MaybeNumber device_type;
  MaybeNumber device_id;
  std::string_view input_dims;    // of operators and annotations, with record_shapes: "[[512, 4], []]"
  std::string_view input_types;   // "[\"float\", \"Scalar\"]"
  std::string_view input_values;  // of those that are no tensors: "[\"\", \"[1, 1]\", \"False\"]"
  MaybeNumber autograd_sequence;  // of operators that autograd knows
  MaybeNumber forward_thread;     // of these, in a backward pass; else 0
  CollectiveArgs collective;
};

// The fields of an event outside its args.
struct EventFields {
  char phase = '\0';
  Category category = Category::kNone;
  bool has_name = false;
  bool has_bad_time = false;  // ts or dur is present, but is no number or does not fit
  std::string_view category_text;
  std::string_view name;
  std::string_view pid;  // as the trace has it: a number, or a text in quotes
  std::string_view tid;
  MaybeNumber start_ns;
  MaybeNumber duration_ns;
};

struct Event : EventFields {
  EventArgs args;  // empty if no record would hold them
};

}  // namespace tauprof::kineto
