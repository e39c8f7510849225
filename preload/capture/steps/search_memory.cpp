#include "capture/steps/search_memory.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {
namespace {

// About fifty times the launches of the longest search. Only touched pages cost memory.
constexpr size_t kRoom = size_t{256} << 20;
// Kept for the next search.
constexpr size_t kStays = size_t{4} << 20;
constexpr size_t kAlignment = 16;

uint8_t* g_memory;
size_t g_used;
bool g_runs;
jmp_buf g_end;

}  // namespace

bool with_search_memory(void (*work)(void*), void* argument) {
  if (g_memory == nullptr) g_memory = static_cast<uint8_t*>(map_zeros(kRoom));
  if (g_memory == nullptr) return false;
  g_used = 0;
  g_runs = true;
  // Skipping the search's destructors is safe: all its memory is in the arena.
  const bool is_whole = _setjmp(g_end) == 0;
  if (is_whole) work(argument);
  g_runs = false;
  if (g_used > kStays) madvise(g_memory + kStays, kRoom - kStays, MADV_DONTNEED);
  return is_whole;
}

void* take_search_memory(size_t bytes) {
  const size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes > kRoom || size > kRoom - g_used) end_search();
  void* const memory = g_memory + g_used;
  g_used += size;
  return memory;
}

void end_search() {
  if (!g_runs) abort();  // nothing else in the recorder allocates here
  longjmp(g_end, 1);
}

}  // namespace tauprof::capture
