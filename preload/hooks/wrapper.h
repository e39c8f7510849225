// The wrapper behind every hook: takes time stamps close around the real function, then records the call.
//
// A row of a table becomes a struct Row_NAME and an exported symbol NAME, which is a single jump to
// Wrapper<Row_NAME>::call. It is a jump so that the return address in the wrapper is the caller's.
//
// Most calls of most functions only have to be recorded, in one unit that the arguments fill. Those take a quick path,
// for which one word says that nothing else is to be done. What the two paths do is the same. Functions that few
// programs call often, in files that are compiled for size, have no quick path.
#pragma once

#include <stdint.h>

#include <type_traits>

#include "capture/base/kept_errno.h"
#include "capture/device/device_activity.h"
#include "capture/rings/recorder.h"
#include "capture/rings/recording.h"
#include "capture/session/session.h"
#include "capture/window/record_window.h"
#include "hooks/hook_kinds.h"
#include "hooks/launch_arguments.h"
#include "hooks/real_function.h"

namespace tauprof::hooks {

// Returns what is to be recorded from the first call on.
// Starts as if inside of the call, and not as the recorder's own work: a signal handler may leave this by longjmp.
[[gnu::noinline, gnu::cold]] inline uint32_t start_session(const void* site, uintptr_t frame_end) {
  const capture::KeptErrno kept;
  capture::thread_state.inside = frame_end;
  capture::thread_state.inside_of = site;
  prefer_libraries_of(site);
  capture::start_session(site);
  capture::thread_state.inside = 0;
  return capture::recording();
}

// Whether the call is made by the one that the thread seems to be in. If that one has been left without returning, the
// thread is in none any more.
bool is_nested(ThreadState& thread, const void* site, uintptr_t frame_end);

// Registers our exit handler after the first call has returned, when the driver has registered its own.
struct FirstCall {
  ~FirstCall() {
    if (!is_first) [[likely]]
      return;
    const capture::KeptErrno kept;
    capture::after_first_call();
  }
  const bool is_first;
};

template <class Row, class Function = typename Row::Function>
struct Wrapper;

template <class Row, class Result, class... Parameters>
struct Wrapper<Row, Result(Parameters...)> {
  using Kind = typename Row::Kind;
  using Real = Result (*)(Parameters...);
  static constexpr bool kIsVoid = std::is_void_v<Result>;

  // Whether calls can take the quick path.
#ifdef __OPTIMIZE_SIZE__
  static constexpr bool kIsPlain = false;
#else
  static constexpr bool kIsPlain = Kind::kRecords != 0 && Kind::kMemory == log::MemoryAction::kUnknown &&
                                   !Kind::kTracks && !Kind::kHasExtension && !Kind::kAsksLibrary;
#endif

  static Result call(Parameters... parameters) {
    const void* const site = __builtin_return_address(0);
    if constexpr (kIsPlain) {
      ThreadState& thread = capture::thread_state;
      void* real;
      if ((capture::recording() & (Kind::kRecords | Kind::kMoreToDo)) == Kind::kRecords && thread.inside == 0 &&
          thread.ring != nullptr && hook_targets[Row::kNumber].find(site, real)) [[likely]] {
        const uint64_t start = capture::read_counter();
        if (!capture::follows_pause(thread, start)) [[likely]]
          return plain_call(reinterpret_cast<Real>(real), site, TAUPROF_FRAME_END(), start, thread, parameters...);
      }
      return other_call(site, TAUPROF_FRAME_END(), parameters...);
    } else {
      return any_call(site, TAUPROF_FRAME_END(), parameters...);
    }
  }

 private:
  [[gnu::always_inline]] static inline Result plain_call(Real real, const void* site, uintptr_t frame_end,
                                                         uint64_t start, ThreadState& thread,
                                                         Parameters... parameters) {
    thread.ring->announce(Row::kNumber, start);
    enter(thread, site, frame_end);
    if constexpr (kIsVoid) {
      real(parameters...);
      plain_call_ended(start, thread, 0, parameters...);
    } else if constexpr (std::is_pointer_v<Result>) {
      const Result result = real(parameters...);
      plain_call_ended(start, thread, 0, parameters...);
      return result;
    } else {
      return static_cast<Result>(plain_call_ended(start, thread, code_of(real(parameters...)), parameters...));
    }
  }

  [[gnu::always_inline]] static inline int64_t plain_call_ended(uint64_t start, ThreadState& thread, int64_t result,
                                                                Parameters... parameters) {
    const uint64_t end = capture::read_counter();
    thread.inside = 0;
    const ArgumentList<Parameters...> arguments{{parameters}...};
    Reading reading{nullptr};
    Kind::read(reading, thread, result, arguments);
    return capture::record_plain_call(thread, Row::kNumber, start, end, reading.call, result);
  }

  [[gnu::noinline, gnu::cold]] static Result other_call(const void* site, uintptr_t frame_end,
                                                        Parameters... parameters) {
    return any_call(site, frame_end, parameters...);
  }

  [[gnu::always_inline]] static inline void enter(ThreadState& thread, const void* site, uintptr_t frame_end) {
    thread.inside = frame_end;
    thread.inside_of = site;
  }

  [[gnu::always_inline]] static inline Result any_call(const void* site, uintptr_t frame_end,
                                                       Parameters... parameters) {
    const Real real = reinterpret_cast<Real>(Row::real(site, reinterpret_cast<void*>(&Wrapper::missing)));
    uint32_t bits = capture::recording();
    ThreadState& thread = capture::thread_state;
    if (!(bits & Kind::kInterest) || (thread.inside != 0 && is_nested(thread, site, frame_end))) [[unlikely]]
      return real(parameters...);
    const FirstCall first{!Kind::kIsQuiet && (bits & capture::kNotStarted) != 0};
    if (first.is_first) [[unlikely]]
      bits = start_session(site, frame_end);
    return watched_call(real, site, frame_end, bits, thread, parameters...);
  }

  [[gnu::always_inline]] static inline Result watched_call(Real real, const void* site, uintptr_t frame_end,
                                                           uint32_t bits, ThreadState& thread,
                                                           Parameters... parameters) {
    const ArgumentList<Parameters...> arguments{{parameters}...};
    if constexpr (Kind::kIsFollowed)
      if (bits & capture::kFollowsCalls) [[unlikely]]
        bits = capture::record_window.follow_call(capture::function_name(Row::kNumber));
    if constexpr (Kind::kTracks) {
      const capture::KeptErrno kept;
      thread.function = Row::kNumber;
      thread.site = site;
      Kind::before(thread, arguments);
    }
    const uint32_t token = record_start_events(site, arguments);
    capture::CallTimes times = capture::start_call(thread);
    if constexpr (Kind::kTracks) thread.call_start = times.start;
    if constexpr (Kind::kRecords != 0)
      if (bits & Kind::kRecords) capture::announce_call(thread, Row::kNumber, times);
    enter(thread, site, frame_end);
    if constexpr (kIsVoid) {
      real(parameters...);
      times.end = capture::read_ticks();
      thread.inside = 0;
      finish(thread, site, bits, times, token, 0, arguments);
    } else {
      const Result result = real(parameters...);
      times.end = capture::read_ticks();
      thread.inside = 0;
      finish(thread, site, bits, times, token, code_of(result), arguments);
      return result;
    }
  }

  template <class Arguments>
  [[gnu::always_inline]] static inline void finish(ThreadState& thread, const void* site, uint32_t bits,
                                                   const capture::CallTimes& times, uint32_t token, int64_t result,
                                                   const Arguments& arguments) {
    if constexpr (Kind::kIsFollowed)
      if (bits & capture::kFollowsCalls) [[unlikely]]
        thread.last_end = times.end;  // otherwise each call after unrecorded ones would seem to follow a pause
    if (Kind::kLaunches && token != 0) [[unlikely]]
      capture::device_activity.after_work(token, times.start, times.end);
    if constexpr (Kind::kTracks) {
      const capture::KeptErrno kept;
      Kind::after(thread, result, arguments);
    }
    if constexpr (Kind::kRecords != 0) {
      if (!(bits & Kind::kReads)) return;
      Reading reading{site};
      capture::Unit extension;
      if constexpr (Kind::kHasExtension) {
        extension = {};
        reading.extension = &extension;
      }
      Kind::read(reading, thread, result, arguments);
      capture::record_call(thread, Row::kNumber, times, reading.call, result, Kind::kDrop,
                           Kind::kHasExtension ? &extension : nullptr);
    }
  }

  // Records the first CUDA event of a launch, where device times come from events. Returns a token; 0: none.
  template <class Arguments>
  static uint32_t record_start_events([[maybe_unused]] const void* site, const Arguments& arguments) {
    if constexpr (Kind::kLaunches)
      if (capture::device_activity.times_with_events()) [[unlikely]] {
        if constexpr (Kind::kEndsGroup) return capture::device_activity.before_group_end(Row::kNumber);
        return capture::device_activity.before_work(stream_of<Kind>(site, arguments), kernel_of<Kind>(arguments),
                                                    Row::kNumber);
      }
    return 0;
  }
  template <class Code>
  static int64_t code_of(Code code) {
    if constexpr (std::is_pointer_v<Code>)
      return 0;
    else
      return static_cast<int64_t>(code);
  }

  // Called if no library has the function. Returns one of the library's own errors (CUBLAS_STATUS_NOT_INITIALIZED,
  // cudaErrorSharedObjectSymbolNotFound, …), or null where the function returns a pointer.
  static Result missing(Parameters...) {
    if constexpr (std::is_pointer_v<Result>)
      return nullptr;
    else if constexpr (!kIsVoid)
      return static_cast<Result>(Row::kMissing);
  }
};

}  // namespace tauprof::hooks

// Expands one row. The jump goes through a pointer, because only the compiler knows the wrapper's mangled name.
#if defined(__x86_64__)
#define TAUPROF_JUMP_TO(pointer) "  endbr64\n  jmp *" pointer "(%rip)\n"
#elif defined(__aarch64__)
#define TAUPROF_JUMP_TO(pointer) "  bti c\n  adrp x16, " pointer "\n  ldr x16, [x16, :lo12:" pointer "]\n  br x16\n"
#endif

#define TAUPROF_EXPORT(name)                                                                                           \
  asm(".text\n"                                                                                                        \
      ".p2align 4\n"                                                                                                   \
      ".globl " #name                                                                                                  \
      "\n"                                                                                                             \
      ".type " #name ", @function\n" #name ":\n" TAUPROF_JUMP_TO("tauprof_wrapper_" #name) ".size " #name ", .-" #name \
                                                                                           "\n");

#define TAUPROF_EXPAND_HOOK(name, declared, missing, ...)                                                    \
  namespace tauprof::hooks {                                                                                 \
  struct Row_##name {                                                                                        \
    static constexpr HookNumber kNumber = kHook_##name;                                                      \
    static constexpr int kMissing = missing;                                                                 \
    using Function = std::remove_pointer_t<decltype(&::declared)>;                                           \
    using Kind = __VA_ARGS__;                                                                                \
    static void* real(const void* site, void* otherwise) { return real_function(kNumber, site, otherwise); } \
  };                                                                                                         \
  }                                                                                                          \
  using Wrapper_##name = ::tauprof::hooks::Wrapper<::tauprof::hooks::Row_##name>;                            \
  extern "C" [[gnu::visibility("hidden")]] decltype(&Wrapper_##name::call) const tauprof_wrapper_##name;     \
  [[gnu::used]] decltype(&Wrapper_##name::call) const tauprof_wrapper_##name = &Wrapper_##name::call;        \
  TAUPROF_EXPORT(name)
