#include "capture/stacks/python_frames.h"

#include <stdlib.h>
#include <string.h>

#include <initializer_list>

#include "capture/base/messages.h"
#include "capture/loader/loaded_definition.h"
#include "capture/stacks/memory_view.h"

namespace tauprof::capture {
namespace {

constexpr unsigned kFrameBytes = 112;  // the most that is read of a frame
constexpr int kDeepest = 256;          // the deepest stack that can be read while its innermost frames change
// In 3.14 the interpreter keeps flags in the lowest bits of a pointer to a code object.
constexpr uint64_t kPointer = ~uint64_t{7};

template <class Function>
Function symbol(const char* name) {
  return reinterpret_cast<Function>(global_definition(name));
}

// PY_VERSION_HEX of the interpreter; older interpreters give it only as text. 0: there is no interpreter.
uint32_t find_version() {
  if (const auto* number = symbol<const unsigned long*>("Py_Version")) return static_cast<uint32_t>(*number);
  const auto text = symbol<const char* (*)()>("Py_GetVersion");
  if (text == nullptr) return 0;
  char* end = nullptr;
  const unsigned long major = strtoul(text(), &end, 10);
  const unsigned long minor = *end == '.' ? strtoul(end + 1, nullptr, 10) : 0;
  return static_cast<uint32_t>(major << 24 | (minor & 0xFF) << 16);
}

size_t frame_bytes(const PythonLayout& layout) {
  size_t end = layout.previous;
  for (const size_t offset : {layout.code, layout.instruction, layout.owner})
    if (offset > end) end = offset;
  return end + 8;
}

}  // namespace

bool PythonFrames::start() {
  state_ = kOff;
  get_thread_ = symbol<void* (*)()>("PyGILState_GetThisThreadState");
  version_ = find_version();
  if (get_thread_ == nullptr || version_ == 0) return false;
  is_finalizing_ = symbol<int (*)()>("Py_IsFinalizing");
  if (is_finalizing_ == nullptr) is_finalizing_ = symbol<int (*)()>("_Py_IsFinalizing");
  const auto* published = symbol<const uint64_t*>("_PyRuntime");
  const PythonTypes types{symbol<uint64_t>("PyCode_Type"), symbol<uint64_t>("PyUnicode_Type"),
                          symbol<uint64_t>("PyBytes_Type")};
  if (!find_python_layout(version_, published, layout_) || is_finalizing_ == nullptr ||
      frame_bytes(layout_) > kFrameBytes) {
    say(LogLevel::kWarn, Cause::kStacks, "no Python stacks: this build of Python %u.%u is not known", version_ >> 24,
        version_ >> 16 & 0xFF);
    return false;
  }
  if (!codes_.init(layout_, types)) return false;
  state_ = kUnverified;
  return true;
}

uint64_t PythonFrames::own_thread() const {
  if (__atomic_load_n(&state_, __ATOMIC_RELAXED) == kOff || is_finalizing_()) return 0;
  return reinterpret_cast<uint64_t>(get_thread_());
}

template <class Memory>
int PythonFrames::walk(Memory& memory, uint64_t thread, PythonFrame* frames, int most, bool identifies) const {
  const size_t bytes = frame_bytes(layout_);
  const uint8_t* block = memory.at(thread + layout_.top, sizeof(uint64_t));
  if (block == nullptr) return kUnreadable;
  uint64_t at = member<uint64_t>(block, 0);
  if (layout_.top_behind >= 0) {
    block = memory.at(at + static_cast<uint64_t>(layout_.top_behind), sizeof(uint64_t));
    if (block == nullptr) return kUnreadable;
    at = member<uint64_t>(block, 0);
  }
  int count = 0;
  for (int steps = 0; at != 0 && count < most && steps < 2 * most; ++steps) {
    block = memory.at(at, bytes);
    if (block == nullptr) return kUnreadable;
    PythonFrame& frame = frames[count];
    frame.frame = at;
    at = member<uint64_t>(block, layout_.previous);
    if (layout_.owner != 0 && block[layout_.owner] >= kFirstNativeOwner) continue;
    frame.code = member<uint64_t>(block, layout_.code) & kPointer;
    frame.instruction = instruction_of(block, frame.code);
    if (identifies) {
      frame.identity = codes_.identity_of(memory, frame.code);
      if (frame.identity == 0) return kUnreadable;
    }
    ++count;
  }
  return count;
}

int32_t PythonFrames::instruction_of(const uint8_t* frame, uint64_t code) const {
  if (layout_.instruction_unit != 0) return member<int32_t>(frame, layout_.instruction) * layout_.instruction_unit;
  return static_cast<int32_t>(member<uint64_t>(frame, layout_.instruction) - (code + layout_.bytecode));
}

unsigned PythonFrames::read_own(uint64_t thread, PythonFrame* frames) {
  const uint32_t state = __atomic_load_n(&state_, __ATOMIC_RELAXED);
  if (state == kOff) return 0;
  PlainMemory memory;
  const int count = state == kVerified ? walk(memory, thread, frames, kMostFrames, true) : verify(thread, frames);
  return count > 0 ? static_cast<unsigned>(count) : 0;
}

// A thread without frames verifies nothing; a single unreadable frame turns Python stacks off.
int PythonFrames::verify(uint64_t thread, PythonFrame* frames) {
  GuardedMemory memory;
  const int count = walk(memory, thread, frames, kMostFrames, true);
  if (count == 0) return 0;
  bool is_readable = count > 0;
  for (int i = 0; i < count && is_readable; ++i)
    is_readable = codes_.number_of(frames[i].code, frames[i].identity) != 0;
  __atomic_store_n(&state_, is_readable ? kVerified : kOff, __ATOMIC_RELAXED);
  if (is_readable) return count;
  say(LogLevel::kWarn, Cause::kStacks, "no Python stacks: the frames of this Python %u.%u cannot be read",
      version_ >> 24, version_ >> 16 & 0xFF);
  return kUnreadable;
}

uint64_t PythonFrames::outermost_of_own(uint64_t thread) {
  PythonFrame frames[kDeepest];
  if (read_own(thread, frames) == 0) return 0;  // none, or not verified
  PlainMemory memory;
  const int count = walk(memory, thread, frames, kDeepest, false);
  return count > 0 && count < kDeepest ? frames[count - 1].frame : 0;
}

unsigned PythonFrames::read_other(const SampledThread& sampled, PythonFrame* frames) {
  if (__atomic_load_n(&state_, __ATOMIC_RELAXED) != kVerified || is_finalizing_()) return 0;
  const uint64_t thread = __atomic_load_n(&sampled.python_thread, __ATOMIC_RELAXED);
  const uint64_t outermost = __atomic_load_n(&sampled.outermost, __ATOMIC_RELAXED);
  uint64_t owner = 0;
  if (thread == 0 || !read_own_memory(thread + layout_.thread_id, &owner, sizeof owner) ||
      owner != sampled.posix_thread)
    return 0;
  PythonFrame before[kDeepest], after[kDeepest];
  GuardedMemory memory;
  const int count_before = walk(memory, thread, before, kDeepest, true);
  for (int i = 0; i < count_before && i < static_cast<int>(kMostFrames); ++i)
    codes_.number_of(before[i].code, before[i].identity);
  const int count = walk(memory, thread, after, kDeepest, false);
  if (count <= 0 || after[count - 1].frame != outermost) return 0;
  int shared = 0;
  while (shared < count && shared < count_before) {
    const PythonFrame& a = before[count_before - 1 - shared];
    PythonFrame& b = after[count - 1 - shared];
    if (a.frame != b.frame || a.code != b.code) break;
    b.identity = a.identity;
    ++shared;
  }
  const int taken = shared < static_cast<int>(kMostFrames) ? shared : static_cast<int>(kMostFrames);
  memcpy(frames, after + (count - shared), static_cast<size_t>(taken) * sizeof(PythonFrame));
  return static_cast<unsigned>(taken);
}

}  // namespace tauprof::capture
