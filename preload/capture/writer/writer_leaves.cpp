// How the recorder's threads leave a process that may be at its end, and come back if it is not.
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/file_thread.h"
#include "capture/base/futex.h"
#include "capture/base/own_thread.h"
#include "capture/base/quiet.h"
#include "capture/device/device_activity.h"
#include "capture/rings/ring.h"
#include "capture/writer/writer_thread.h"

namespace tauprof::capture {
namespace {

// After `main` has left by pthread_exit(): how often this thread looks, and for how long no call must have been made.
constexpr uint64_t kLookInterval = 1'000'000'000;
constexpr uint64_t kLongestAlone = 5'000'000'000;

WriterThread* g_away;

}  // namespace

// A process ends with its last thread where `main` has left by pthread_exit(): ours must not keep it alive. Nothing is
// decided here about the program: if it goes on, its calls wait in their rings until one is half full, or the process
// ends. Of threads that have ended, the kernel has forgotten the list of robust locks, which glibc gives to every
// thread; where it refuses to say, main is there.
bool WriterThread::is_left_alone() {
  const uint64_t now = kernel_now_ns();
  if (now - last_look_ns_ < kLookInterval) return false;
  last_look_ns_ = now;
  if (const uint64_t calls = rows_.records(); calls != calls_seen_ || last_call_ns_ == 0) {
    calls_seen_ = calls;
    last_call_ns_ = now;
  }
  const void* locks = this;
  size_t size = 0;
  const bool has_left = syscall(SYS_get_robust_list, getpid(), &locks, &size) == 0 && locks == nullptr;
  return has_left && now - last_call_ns_ >= kLongestAlone;
}

// This thread is the last of ours to leave: if glibc finds no other, it ends the process on it, with its exit handlers.
// False: it is needed again already.
bool WriterThread::leave() {
  if (start_.may_use_devices()) device_activity.flush();
  cycle();
  writer_.flush();
  end_file_thread();
  be_away();
  const bool is_needed = writer_doorbell.has_rung() || __atomic_load_n(&is_device_ending_, __ATOMIC_SEQ_CST) != 0 ||
                         __atomic_load_n(&is_stopping_, __ATOMIC_SEQ_CST) != 0;
  if (!is_needed || !move_phase(kAway, kRecording)) return true;
  writer_doorbell.hand_over(nullptr);
  file_thread_ = start_file_thread();
  last_call_ns_ = 0;
  return false;
}

void WriterThread::be_away() {
  g_away = this;
  __atomic_store_n(&phase_, static_cast<uint32_t>(kAway), __ATOMIC_SEQ_CST);
  futex_wake(&phase_);
  writer_doorbell.hand_over([] { g_away->come_back(); });
}

// On a thread of the program that has filled a buffer.
void WriterThread::come_back() {
  if (is_quiet() || !move_phase(kAway, kRecording)) return;
  writer_doorbell.hand_over(nullptr);
  last_call_ns_ = 0;
  if (start_own_thread(thread_, &WriterThread::run_again, this) == 0)
    pthread_detach(thread_);
  else
    be_away();
}

void* WriterThread::run_again(void* self) {
  auto& writer = *static_cast<WriterThread*>(self);
  writer.be_the_writer();
  writer.loop();
  return nullptr;
}

// True: the writer's thread has left, and the calling one does its work from now on.
bool WriterThread::take_over() {
  if (!move_phase(kAway, kRecording)) return false;
  writer_doorbell.hand_over(nullptr);
  return true;
}

}  // namespace tauprof::capture
