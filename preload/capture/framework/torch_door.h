// How our Python code gets into the interpreter: as a pending call, which the main thread runs between two of its
// instructions, soon after the first CUDA call. If that thread stays blocked (a program that trains in another thread),
// a thread of ours takes the GIL instead. It never runs while PyTorch is still being imported.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

class TorchDoor {
 public:
  // At the start of the session, on a thread of the program. Returns whether PyTorch is there to be asked already.
  bool start();
  // The writer thread, every cycle: tries again.
  void follow(uint64_t now);
  bool is_in() const { return __atomic_load_n(&state_, __ATOMIC_ACQUIRE) == kIn; }

 private:
  // kAsked: a pending call is on its way. kBusy: our code runs. kOff: there is no way in.
  enum State : uint32_t { kWaiting, kAsked, kBusy, kIn, kOff };
  static int run_pending(void* self);
  static void* run_thread(void* self);
  void ask(uint64_t now);
  void enter();
  bool move(State from, State to);

  uint32_t state_ = kOff;
  uint64_t asked_at_ = 0;
  uint64_t next_try_ = 0;
  bool has_thread_ = false;
};

extern TorchDoor torch_door;

}  // namespace tauprof::capture
