// The buffers that CUPTI fills with activity records. All memory is there from the start: CUPTI requests buffers on
// threads that launch work, so handing one out is a single atomic operation. Full buffers wait in a list for the writer
// thread. While none is free, CUPTI drops records and counts them.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

class ActivityBuffers {
 public:
  static constexpr uint32_t kMost = 64;

  void init(void* memory, size_t bytes);

  // ---- Any thread, from CUPTI's callbacks ----
  uint8_t* request(size_t& size);
  void complete(uint8_t* bytes, size_t valid);

  // ---- The writer thread ----
  // Visits all completed buffers twice, in the order of completion: visit(bytes, valid, true) for all of them, then
  // visit(bytes, valid, false). Then CUPTI may have them again.
  template <class Visit>
  void take_completed(Visit visit);

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFF;
  uint32_t take_list();
  void give_back(uint32_t index) { __atomic_fetch_or(&free_, uint64_t{1} << index, __ATOMIC_RELEASE); }

  struct Completed {
    uint32_t next;
    size_t valid;
  };
  uint8_t* memory_ = nullptr;
  size_t size_ = 0;  // of one
  uint32_t count_ = 0;
  uint64_t free_ = 0;  // one bit per buffer
  uint32_t newest_ = kNone;
  Completed completed_[kMost] = {};
};

template <class Visit>
void ActivityBuffers::take_completed(Visit visit) {
  const uint32_t first = take_list();
  for (uint32_t i = first; i != kNone; i = completed_[i].next) visit(memory_ + i * size_, completed_[i].valid, true);
  for (uint32_t i = first; i != kNone;) {
    const uint32_t next = completed_[i].next;
    visit(memory_ + i * size_, completed_[i].valid, false);
    give_back(i);
    i = next;
  }
}

}  // namespace tauprof::capture
