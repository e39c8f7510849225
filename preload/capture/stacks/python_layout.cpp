#include "capture/stacks/python_layout.h"

#include <string.h>

namespace tauprof::capture {
namespace {

struct TableRow {
  uint8_t minor;
  PythonLayout layout;
};

constexpr auto kIncrements = LineTableFormat::kIncrements;
constexpr auto kRanges = LineTableFormat::kRanges;
constexpr auto kLocations = LineTableFormat::kLocations;

// The members in order: top, top_behind, thread_id; previous, code, instruction, owner, instruction_unit; file,
// function, line_table, first_line, bytecode, format; ascii_text, wide_text.
constexpr TableRow kTable[] = {
    {8, {24, -1, 176, 24, 32, 104, 0, 1, 104, 112, 120, 40, 0, kIncrements, 48, 72}},
    {9, {24, -1, 176, 24, 32, 104, 0, 1, 104, 112, 120, 40, 0, kIncrements, 48, 72}},
    {10, {24, -1, 176, 24, 32, 96, 0, 2, 104, 112, 120, 40, 0, kRanges, 48, 72}},
    {11, {56, 8, 152, 48, 32, 56, 69, 0, 112, 128, 136, 72, 184, kLocations, 48, 72}},
    {12, {56, 0, 136, 8, 0, 56, 70, 0, 112, 128, 136, 68, 192, kLocations, 40, 56}},
};

// Groups of the published table. Each number is the index of the group's first word, which is the size of its
// structure.
struct Groups {
  uint8_t minor;
  size_t thread_state, frame, code_object;
};
constexpr Groups kGroups[] = {{13, 19, 28, 34}, {14, 22, 31, 39}};

constexpr char kCookie[] = "xdebugpy";

// Takes one offset. False: it is not within the size that the group gives for its structure.
bool take(const uint64_t* words, size_t group, size_t member, uint16_t& offset) {
  constexpr uint64_t kLargest = 1u << 15;
  const uint64_t size = words[group];
  offset = static_cast<uint16_t>(words[group + member]);
  return size <= kLargest && words[group + member] < size;
}

bool read_published(const uint64_t* words, const Groups& groups, PythonLayout& layout) {
  layout = {};
  layout.format = kLocations;
  layout.ascii_text = 40;
  layout.wide_text = 56;
  const size_t thread = groups.thread_state, frame = groups.frame, code = groups.code_object;
  return take(words, thread, 4, layout.top) && take(words, thread, 5, layout.thread_id) &&
         take(words, frame, 1, layout.previous) && take(words, frame, 2, layout.code) &&
         take(words, frame, 3, layout.instruction) && take(words, frame, 5, layout.owner) &&
         take(words, code, 1, layout.file) && take(words, code, 3, layout.function) &&
         take(words, code, 4, layout.line_table) && take(words, code, 5, layout.first_line) &&
         take(words, code, 9, layout.bytecode);
}

}  // namespace

bool find_python_layout(uint32_t version, const uint64_t* published, PythonLayout& layout) {
  if (version >> 24 != 3) return false;
  const uint32_t minor = version >> 16 & 0xFF;
  for (const TableRow& row : kTable)
    if (row.minor == minor) return layout = row.layout, true;
  if (published == nullptr || memcmp(published, kCookie, 8) != 0) return false;
  const bool is_free_threaded = published[2] != 0;
  if (is_free_threaded || published[1] != version) return false;
  for (const Groups& groups : kGroups)
    if (groups.minor == minor) return read_published(published, groups, layout);
  return false;
}

}  // namespace tauprof::capture
