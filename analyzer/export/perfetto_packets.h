// Perfetto's native trace format, as far as tracks of slices, counters and flows need it: packets of
// perfetto/protos/perfetto/trace/trace_packet.proto, written one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "export/output_file.h"
#include "model/time.h"

namespace tauprof::perfetto {

// A text that packets of a sequence refer to by number. 0: none.
using Iid = uint64_t;

// A fact about a slice that is shown when it is selected. `text` counts if it is not empty, else `number`.
struct Annotation {
  std::string_view name;
  std::string_view text;
  int64_t number = 0;
};

struct Slice {
  uint64_t track = 0;
  Nanoseconds time = 0;
  std::string_view name;
  uint64_t name_key = 0;  // the same for all slices of a sequence with this name; 0: the name is not shared
  std::string_view category;
  const std::vector<Annotation>* annotations = nullptr;
  const std::vector<uint64_t>* flows = nullptr;  // slices with the same number are connected, in the order of time
};

enum class CounterUnit : uint64_t { kNone = 0, kTimeNs = 1, kCount = 2, kBytes = 3 };

class PacketWriter {
 public:
  explicit PacketWriter(OutputFile& file) : file_(file) {}

  // Packets from here on refer to texts of their own, and forget those before. `number`: from 1.
  void start_sequence(uint32_t number);
  // Tracks of one parent are shown in the order in which they are made.
  void add_process(uint64_t track, int32_t pid, std::string_view name);
  void add_track(uint64_t track, uint64_t parent, std::string_view name);
  void add_counter(uint64_t track, uint64_t parent, std::string_view name, CounterUnit unit);
  void begin(const Slice& slice);
  void end(uint64_t track, Nanoseconds time);
  void instant(const Slice& slice);
  void count(uint64_t track, Nanoseconds time, int64_t value);

 private:
  // The texts that the current sequence has given a number, by what they are used for.
  struct Interned {
    std::vector<std::string> texts;
    Iid find_or_add(std::string_view text, bool& is_new);
  };
  void add_event(const Slice& slice, uint64_t type);
  void add_descriptor(uint64_t track, uint64_t parent, std::string_view name, const std::string& kind, uint32_t field);
  void write_packet();
  Iid intern_name(const Slice& slice);
  Iid intern(Interned& table, std::string_view text, uint32_t field);

  OutputFile& file_;
  std::string packet_, event_, interned_, part_, entry_;  // kept for their memory
  std::vector<bool> known_names_;                         // by name_key
  Interned categories_, annotation_names_, annotation_texts_;
  uint32_t sequence_ = 0;
  int32_t rank_of_track_ = 0;
  bool is_first_ = false;
};

}  // namespace tauprof::perfetto
