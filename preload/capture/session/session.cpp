#include "capture/session/session.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <new>

#include "capture/base/futex.h"
#include "capture/base/memory_budget.h"
#include "capture/base/messages.h"
#include "capture/base/ticks.h"
#include "capture/device/call_watch.h"
#include "capture/device/cupti_library.h"
#include "capture/device/device_activity.h"
#include "capture/framework/torch_door.h"
#include "capture/loader/library_calls.h"
#include "capture/rings/hook_info.h"
#include "capture/rings/recorder.h"
#include "capture/rings/recording.h"
#include "capture/rings/ring_pool.h"
#include "capture/rings/thread_state.h"
#include "capture/session/loading_thread.h"
#include "capture/settings/configuration.h"
#include "capture/settings/launcher.h"
#include "capture/stacks/call_stacks.h"
#include "capture/telemetry/telemetry.h"
#include "capture/window/record_window.h"
#include "capture/writer/writer_thread.h"

namespace tauprof::capture {
namespace {

enum State : uint32_t { kIdle, kStarting, kRunning, kOver };

uint32_t g_state = kIdle;
pid_t g_pid;
WriterThread* g_writer;  // never destroyed
// A global variable, because leak checkers look for pointers there and not in mapped memory.
alignas(WriterThread) char g_writer_memory[sizeof(WriterThread)];
uint32_t g_has_exit_handler;

// Measures what recording adds to a call, on a ring that nobody reads.
uint64_t measure_call_cost_ps(const TickScale& scale) {
  constexpr unsigned kCalls = 1000;
  constexpr uint32_t kPages = 16;
  static Ring ring;
  ring.init(kPages);
  ThreadState scratch{};
  scratch.ring = &ring;
  uint64_t best = UINT64_MAX;
  for (int round = 0; round < 2; ++round) {
    const uint64_t start = read_ticks();
    for (unsigned i = 0; i < kCalls / 2; ++i) {
      CallTimes times = start_call(scratch);
      announce_call(scratch, 0, times);
      times.end = read_ticks();
      record_call(scratch, 0, times, {}, 0);
    }
    const uint64_t ticks = read_ticks() - start;
    if (ticks < best) best = ticks;
  }
  ring.clear();
  const uint64_t ticks_a_microsecond = scale.ticks_in(1000);
  return best * 1'000'000 / (ticks_a_microsecond != 0 ? ticks_a_microsecond : 1) / (kCalls / 2);
}

void leave_child() {
  set_recording(0);
  set_capturing(false);
  __atomic_store_n(&library_calls, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&g_state, kOver, __ATOMIC_RELEASE);
  thread_state = {};
}

// False: this process, or a child that shares its memory, has no recording to end.
bool is_running() {
  if (__atomic_load_n(&g_state, __ATOMIC_ACQUIRE) != kRunning) return false;
  if (is_quiet()) return true;
  const pid_t pid = getpid();
  return (pid == g_pid || pid < 0) && g_writer->is_of_this_process();
}

// Runs before the driver ends, so CUPTI can still be asked. Later exit handlers may make further calls. It may run in a
// signal handler, on a thread that holds a lock of CUPTI's: it takes no lock, and waits for the writer with a limit.
void finish_device_work() {
  if (is_running()) g_writer->finish_device_work();
}

struct Start {
  Configuration configuration;
  const void* caller;
};

void start_devices(const Start& start) {
  if (start.configuration.categories & kCategoryDevice) device_activity.start(start.configuration);
  g_writer->devices_have_started();
}

bool wants_cupti(const Configuration& configuration) {
  return (configuration.categories & kCategoryDevice) != 0 && configuration.device_timing != DeviceTiming::kOff &&
         configuration.device_timing != DeviceTiming::kEvents;
}

void load_first(void* data) {
  const auto& start = *static_cast<const Start*>(data);
  call_stacks.open_unwinder();
  if (call_watch.is_kept()) return;
  if (wants_cupti(start.configuration)) CuptiLibrary::open(start.caller);
  start_devices(start);
}

void load_later(void*) { telemetry.open_library(); }

// A callback of CUPTI starts CUPTI's records on its own thread: the library is open, and CUPTI may hold a lock of its
// own around callbacks.
void load(Start& start) {
  const bool is_callback = call_watch.is_kept();
  if (is_callback) start_devices(start);
  switch (load_elsewhere({load_first, load_later, &start})) {
    case Loading::kDone:
      break;
    case Loading::kGoesOn:
      g_writer->goes_on_without_devices(now_ns());
      break;
    case Loading::kNoThread:
      say(LogLevel::kError, Cause::kRecorder, "cannot start a thread; device times and sensors are not recorded");
      if (!is_callback) g_writer->devices_have_started();
  }
}

// Does all that can be done before the first record. False: nothing will be recorded.
bool start_recording(const void* caller) {
  const uint64_t started_at = now_ns();
  static Start start;
  start.caller = caller;
  Configuration& configuration = start.configuration;
  read_configuration(configuration);
  memory_budget.set_bound(configuration.buffer_bytes / 4);
  const Placement placement = read_placement();
  if (placement.rank >= 0 && !rank_is_listed(configuration.ranks, placement.rank)) return false;
  if (placement.local_rank <= 0) say_who_reduces(configuration);
  choose_tick_source();
  static TickScale scale;
  scale.start();
  set_independent(kTicksAreNanoseconds, ticks_are_nanoseconds);
  call_stacks.start(configuration.stacks);
  uint64_t long_ticks = UINT64_MAX;
  if (call_stacks.is_on())
    long_ticks = configuration.stacks == StackMode::kAll ? 0 : scale.ticks_in(configuration.stack_min_ns);
  set_long_ticks(scale.ticks_in(kPauseNs), long_ticks);
  if (!ring_pool.start(configuration.buffer_bytes / 4)) {
    say(LogLevel::kError, Cause::kRecorder, "no memory for buffers; nothing is recorded");
    return false;
  }
  g_writer = new (g_writer_memory) WriterThread(configuration, placement, scale);
  if (!g_writer->start()) return false;
  load(start);
  const uint64_t call_cost_ps = measure_call_cost_ps(scale);
  const uint64_t now = now_ns();
  g_writer->set_costs(now - started_at, call_cost_ps);
  const bool is_asked = configuration.asks_python && torch_door.start();
  record_window.start(configuration, is_asked, now);
  g_writer->begin();
  return true;
}

}  // namespace

namespace {

// Known before the start begins: a signal comes when memory is touched for the first time.
__thread bool is_starter __attribute__((tls_model("initial-exec")));
int g_cancelling = PTHREAD_CANCEL_ENABLE;  // the starting thread's state before
uint64_t g_gave_up_at;  // when a thread first went on without waiting for the end of the start; 0: none has

// Waits with a limit, once in a process: the starting thread may need what this one holds. A signal handler may have
// left the start by longjmp; its thread knows when it comes again.
void await_start(uint32_t state) {
  if (state == kStarting && is_starter) {
    set_recording(0);
    __atomic_store_n(&g_state, kOver, __ATOMIC_RELEASE);
    pthread_setcancelstate(g_cancelling, nullptr);
    return say(LogLevel::kError, Cause::kRecorder, "the program has left the first call; nothing is recorded");
  }
  for (int i = 0; state == kStarting && i < 20 && __atomic_load_n(&g_gave_up_at, __ATOMIC_RELAXED) == 0; ++i) {
    futex_wait(&g_state, kStarting, 50'000'000);
    state = __atomic_load_n(&g_state, __ATOMIC_ACQUIRE);
  }
  uint64_t never = 0;
  if (state == kStarting)
    __atomic_compare_exchange_n(&g_gave_up_at, &never, now_ns(), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

// The calls of threads that went on meanwhile are missing.
void say_who_gave_up() {
  const uint64_t since = __atomic_load_n(&g_gave_up_at, __ATOMIC_SEQ_CST);
  if (since != 0) record_window.has_missed(since, now_ns(), "the recorder took long to start");
}

}  // namespace

bool prepare_session(bool is_preloaded) {
  if (!is_enabled_by_environment(is_preloaded)) return false;
  set_recording(kNotStarted);
  return true;
}

void start_session(const void* caller) {
  uint32_t expected = __atomic_load_n(&g_state, __ATOMIC_ACQUIRE);
  if (expected != kIdle) return await_start(expected);
  is_starter = true;
  if (!__atomic_compare_exchange_n(&g_state, &expected, kStarting, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    is_starter = false;
    return await_start(expected);
  }
  if (is_quiet()) {  // to start takes system calls
    set_recording(0);
    __atomic_store_n(&g_state, kOver, __ATOMIC_RELEASE);
    return;
  }
  // Or a thread that is to be cancelled would be so in here, and not where it is without us.
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g_cancelling);
  g_pid = getpid();
  pthread_atfork(nullptr, nullptr, leave_child);
  const bool is_running = start_recording(caller);
  if (!is_running) set_recording(0);
  __atomic_store_n(&g_state, is_running ? kRunning : kOver, __ATOMIC_SEQ_CST);
  futex_wake(&g_state);
  if (is_running) say_who_gave_up();
  pthread_setcancelstate(g_cancelling, nullptr);
}

void after_first_call() {
  if (__atomic_exchange_n(&g_has_exit_handler, 1, __ATOMIC_RELAXED) != 0) return;
  atexit(finish_device_work);
  at_quick_exit(end_session_at_once);
}

void end_session() {
  if (is_running() && __atomic_exchange_n(&g_state, kOver, __ATOMIC_ACQ_REL) == kRunning) g_writer->finish("exit");
}

void end_session_now(const char* reason) {
  const bool is_ours = is_running();
  if (!is_ours && __atomic_load_n(&g_state, __ATOMIC_ACQUIRE) == kRunning) return;  // a child's, that shares our memory
  set_recording(0);
  if (!is_ours) return;
  finish_device_work();
  if (__atomic_exchange_n(&g_state, kOver, __ATOMIC_ACQ_REL) == kRunning) g_writer->finish(reason);
}

// Where nothing may be asked of the kernel, a child of vfork() cannot be told from its parent: then these two do
// nothing.
bool write_before_exec() { return !is_quiet() && is_running() && g_writer->write_all_now(); }

void end_session_at_once() {
  if (is_quiet()) return;
  finish_device_work();
  end_session();
}

}  // namespace tauprof::capture
