#include "capture/window/open_ranges.h"

#include <pthread.h>

#include "capture/base/memory_budget.h"
#include "capture/base/spin_lock.h"
#include "capture/base/zeroed_memory.h"
#include "capture/rings/recorder.h"
#include "capture/rings/recording.h"
#include "capture/rings/ring_pool.h"
#include "capture/rows/text_table.h"
#include "capture/window/record_window.h"

namespace tauprof::capture {

namespace {

struct OpenRange {
  uint64_t start = 0;  // ticks; 0: it started while ranges were not recorded
  uint32_t domain = 0;
  uint32_t name = 0;
  uint32_t object = 0;
  log::RangeSource source = log::RangeSource::kNvtx;
};

// Stands for the domain of annotations, so that a pop of NVTX does not end one. No text has this number.
constexpr uint32_t kAnnotations = UINT32_MAX;

bool is_recorded() { return recording() & kCategoryNvtx; }
bool are_marks_recorded() { return recording() & (kNotStarted - 1); }

uint32_t domain_of_marks() {
  static uint32_t domain = text_table.number_of("pytorch");
  return domain;
}

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

CallFacts range_facts(const OpenRange& range) {
  return {range.name | uint64_t{range.object} << 32, range.domain | uint64_t{static_cast<uint8_t>(range.source)} << 32,
          0};
}

void record_range(ThreadState& thread, SpecialFunction function, const OpenRange& range, uint64_t end) {
  const bool is_mark = range.source == log::RangeSource::kFramework;
  if (range.start == 0 || !(is_mark ? are_marks_recorded() : is_recorded())) return;
  // Ranges are no calls: the pause between two calls continues.
  const uint64_t last_end = thread.last_end;
  record_call(thread, function, {range.start, end, 0}, range_facts(range), 0,
              function == kMarkUnit || function == kStepUnit ? DropKind::kMark : DropKind::kRange);
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

// Lent to a thread until it ends. Deeper ranges are counted but not recorded.
struct OpenRanges {
  static constexpr int kDeepest = 169;  // so that it fits into a page
  int depth;
  OpenRange ranges[kDeepest];
  OpenRanges* next_free;
};
static_assert(sizeof(OpenRanges) <= 4096);

namespace {

OpenRanges* g_free_ranges;
uint32_t g_ranges_lock;
pthread_key_t g_ranges_key;
bool g_has_ranges_key;

// Later destructors of the thread may still push ranges; these take another stack.
void give_back_ranges(void* given) {
  auto* const ranges = static_cast<OpenRanges*>(given);
  thread_state.ranges = nullptr;
  ranges->depth = 0;
  const SpinLock lock(g_ranges_lock);
  ranges->next_free = g_free_ranges;
  g_free_ranges = ranges;
}

OpenRanges* take_free_ranges() {
  const SpinLock lock(g_ranges_lock);
  if (!g_has_ranges_key) g_has_ranges_key = pthread_key_create(&g_ranges_key, give_back_ranges) == 0;
  OpenRanges* const free = g_free_ranges;
  if (free != nullptr) g_free_ranges = free->next_free;
  return free;
}

[[gnu::noinline, gnu::cold]] OpenRanges* borrow_ranges(ThreadState& thread) {
  OpenRanges* ranges = take_free_ranges();
  if (ranges == nullptr && memory_budget.take(sizeof(OpenRanges), memory_budget.bound() / 8))
    ranges = static_cast<OpenRanges*>(map_zeros(sizeof(OpenRanges)));
  if (ranges != nullptr && g_has_ranges_key) pthread_setspecific(g_ranges_key, ranges);
  thread.ranges = ranges;
  return ranges;
}

OpenRanges* ranges_of(ThreadState& thread) { return thread.ranges != nullptr ? thread.ranges : borrow_ranges(thread); }

}  // namespace

namespace {

// Returns the depth before it.
int push(ThreadState& thread, const OpenRange& range) {
  OpenRanges* const open = ranges_of(thread);
  if (open == nullptr) {
    if (is_recorded()) ring_pool.count_refused(DropKind::kRange);
    return 0;
  }
  if (open->depth < OpenRanges::kDeepest) open->ranges[open->depth] = range;
  return open->depth++;
}

// Ends the latest range of the domain. False: there is none, or none that is known.
bool pop(ThreadState& thread, uint32_t domain, OpenRange& range) {
  OpenRanges* const open = thread.ranges;
  if (open == nullptr || open->depth == 0) return false;
  if (open->depth > OpenRanges::kDeepest) return --open->depth, false;
  int at = open->depth - 1;
  while (at >= 0 && open->ranges[at].domain != domain) --at;
  if (at < 0) return false;
  range = open->ranges[at];
  for (--open->depth; at < open->depth; ++at) open->ranges[at] = open->ranges[at + 1];
  record_range(thread, kRangeUnit, range, read_ticks());
  return true;
}

void push_named(ThreadState& thread, uint32_t domain, uint32_t name, log::RangeSource source, int* depth = nullptr) {
  if (is_window(name)) record_window.open_range(CaptureRange::kNvtx, now_ns());
  follow_steps(name);
  const int before = push(thread, {is_recorded() ? read_ticks() : 0, domain, name, 0, source});
  if (depth != nullptr) *depth = before;
}

void pop_named(ThreadState& thread, uint32_t domain) {
  OpenRange range;
  if (pop(thread, domain, range) && is_window(range.name)) record_window.close_range(CaptureRange::kNvtx, now_ns());
}

}  // namespace

int push_range(ThreadState& thread, uint32_t domain, uint32_t name) {
  int depth = 0;
  push_named(thread, domain, name, log::RangeSource::kNvtx, &depth);
  return depth;
}

int pop_range(ThreadState& thread, uint32_t domain) {
  const int before = thread.ranges != nullptr ? thread.ranges->depth : 0;
  pop_named(thread, domain);
  const int after = thread.ranges != nullptr ? thread.ranges->depth : 0;
  return after < before ? after : -1;
}

void push_annotation(ThreadState& thread, uint32_t name) {
  push_named(thread, kAnnotations, name, log::RangeSource::kAnnotation);
}

void pop_annotation(ThreadState& thread) { pop_named(thread, kAnnotations); }

void push_mark(ThreadState& thread, uint32_t name, uint32_t object) {
  push(thread,
       {are_marks_recorded() ? read_ticks() : 0, domain_of_marks(), name, object, log::RangeSource::kFramework});
}

void pop_mark(ThreadState& thread) {
  OpenRange range;
  pop(thread, domain_of_marks(), range);
}

void drop_marks(ThreadState& thread) {
  OpenRanges* const open = thread.ranges;
  if (open == nullptr || open->depth > OpenRanges::kDeepest) return;
  int kept = 0;
  for (int i = 0; i < open->depth; ++i)
    if (open->ranges[i].domain != domain_of_marks()) open->ranges[kept++] = open->ranges[i];
  open->depth = kept;
}

namespace {

void mark(ThreadState& thread, SpecialFunction function, uint32_t name, uint32_t object) {
  if (!are_marks_recorded()) return;
  const uint64_t now = read_ticks();
  record_range(thread, function, {now, domain_of_marks(), name, object, log::RangeSource::kFramework}, now);
}

}  // namespace

void mark_of_framework(ThreadState& thread, uint32_t name, uint32_t object) { mark(thread, kMarkUnit, name, object); }

void mark_step(ThreadState& thread, uint64_t number) { mark(thread, kStepUnit, 0, static_cast<uint32_t>(number)); }

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

void end_captured_update(ThreadState& thread, uint32_t optimizer) {
  uint64_t number = 0;
  if (record_window.wants_number(Pass::kBackward, number)) mark_step(thread, number);
  record_window.pass_starts(Pass::kUpdate);
  record_window.update_ends(optimizer);
}

}  // namespace tauprof::capture
