#include "capture/window/open_ranges.h"

#include <sys/mman.h>

#include "capture/rings/recorder.h"
#include "capture/rings/recording.h"
#include "capture/rows/text_table.h"
#include "capture/window/record_window.h"

namespace tauprof::capture {

namespace {

struct OpenRange {
  uint64_t start;  // ticks; 0: it started while ranges were not recorded
  uint32_t domain;
  uint32_t name;
};

bool is_recorded() { return recording() & kCategoryNvtx; }

// A range of this name starts, and a step may start with it.
void follow_steps(uint32_t name) {
  const TextTable::Text* text = text_table.text(name);
  if (text != nullptr) record_window.follow_range(text->bytes, text->size);
}

// Whether the window opens and closes with ranges of this name.
bool is_window(uint32_t name) {
  const TextTable::Text* text = text_table.text(name);
  return text != nullptr && record_window.is_range(text->bytes, text->size);
}

void record_range(ThreadState& thread, SpecialFunction function, const OpenRange& range, uint64_t end) {
  if (range.start == 0 || !is_recorded()) return;
  // Ranges are no calls: the pause between two calls continues.
  const uint64_t last_end = thread.last_end;
  record_call(thread, function, {range.start, end, 0}, {range.name, range.domain, 0}, 0,
              function == kMarkUnit ? DropKind::kMark : DropKind::kRange);
  thread.last_end = last_end;
}

// Ranges between start and end. A range's number leads to its slot.
constexpr uint32_t kMostStarted = 1024;
struct StartedRange {
  uint64_t id;  // 0: free
  OpenRange range;
};
StartedRange g_started[kMostStarted];
uint64_t g_last_id;

}  // namespace

// Deeper ranges are counted but not recorded.
struct OpenRanges {
  static constexpr int kDeepest = 250;
  int depth;
  OpenRange ranges[kDeepest];
};

namespace {

OpenRanges* ranges_of(ThreadState& thread) {
  if (thread.ranges != nullptr) return thread.ranges;
  void* memory = mmap(nullptr, sizeof(OpenRanges), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) thread.ranges = static_cast<OpenRanges*>(memory);
  return thread.ranges;
}

}  // namespace

int push_range(ThreadState& thread, uint32_t domain, uint32_t name) {
  OpenRanges* open = ranges_of(thread);
  if (open == nullptr) return 0;
  if (is_window(name)) record_window.open_range(CaptureRange::kNvtx, now_ns());
  follow_steps(name);
  if (open->depth < OpenRanges::kDeepest) open->ranges[open->depth] = {is_recorded() ? read_ticks() : 0, domain, name};
  return open->depth++;
}

int pop_range(ThreadState& thread, uint32_t domain) {
  OpenRanges* open = thread.ranges;
  if (open == nullptr || open->depth == 0) return -1;
  if (open->depth > OpenRanges::kDeepest) return --open->depth;
  int at = open->depth - 1;
  while (at >= 0 && open->ranges[at].domain != domain) --at;
  if (at < 0) return -1;
  const OpenRange range = open->ranges[at];
  for (--open->depth; at < open->depth; ++at) open->ranges[at] = open->ranges[at + 1];
  record_range(thread, kRangeUnit, range, read_ticks());
  if (is_window(range.name)) record_window.close_range(CaptureRange::kNvtx, now_ns());
  return open->depth;
}

uint64_t start_range(ThreadState&, uint32_t domain, uint32_t name) {
  if (is_window(name)) record_window.open_range(CaptureRange::kNvtx, now_ns());
  follow_steps(name);
  const uint64_t id = __atomic_add_fetch(&g_last_id, 1, __ATOMIC_RELAXED);
  StartedRange& slot = g_started[id % kMostStarted];
  slot.range = {is_recorded() ? read_ticks() : 0, domain, name};
  __atomic_store_n(&slot.id, id, __ATOMIC_RELEASE);
  return id;
}

void end_range(ThreadState& thread, uint64_t id) {
  StartedRange& slot = g_started[id % kMostStarted];
  if (__atomic_load_n(&slot.id, __ATOMIC_ACQUIRE) != id) return;
  const OpenRange range = slot.range;
  __atomic_store_n(&slot.id, 0, __ATOMIC_RELEASE);
  record_range(thread, kProcessRangeUnit, range, read_ticks());
  if (is_window(range.name)) record_window.close_range(CaptureRange::kNvtx, now_ns());
}

void mark_instant(ThreadState& thread, uint32_t domain, uint32_t name) {
  follow_steps(name);
  if (!is_recorded()) return;
  const uint64_t now = read_ticks();
  record_range(thread, kMarkUnit, {now, domain, name}, now);
}

}  // namespace tauprof::capture
