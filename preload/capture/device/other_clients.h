// Whether other clients in the process still use CUPTI, judged by the functions that hooks see them call. They are done
// when they have disabled what they enabled, have unsubscribed what excludes us, have flushed, and have been quiet for
// a while. Any thread.
#pragma once

#include <stdint.h>

#include <string_view>

namespace tauprof::capture {

// Subscribing to callbacks and flushing buffers do not disturb us.
inline bool takes_cupti(std::string_view function) {
  return function == "cuptiFinalize" ||
         (function.starts_with("cuptiActivity") && !function.starts_with("cuptiActivityFlush"));
}

class OtherClients {
 public:
  static constexpr uint64_t kQuietNs = 1'000'000'000;

  // Another client was first. It is not known how much it has enabled, so it never seems to be done.
  void was_first() { kinds_ = kUnknownKinds; }

  // A client calls `function`.
  void calls(std::string_view function, uint64_t now) {
    store(last_call_, now);
    if (function.starts_with("cuptiActivityFlush")) return store(have_flushed_, 1u);
    store(have_flushed_, 0u);
    if (function == "cuptiFinalize") {
      store(kinds_, 0);
      store(have_flushed_, 1u);
    } else if (function.starts_with("cuptiActivityDisable")) {
      if (load(kinds_) > 0) __atomic_sub_fetch(&kinds_, 1, __ATOMIC_RELAXED);
    } else if (function.starts_with("cuptiActivityEnable") && function.find("Api") == function.npos) {
      __atomic_add_fetch(&kinds_, 1, __ATOMIC_RELAXED);
    }
  }
  // A client has called cuptiSubscribe_v2 where its subscription excludes us.
  void subscribed(bool has_succeeded) {
    if (has_succeeded) __atomic_add_fetch(&subscribers_, 1, __ATOMIC_RELAXED);
    if (load(subscribers_) == 0 && load(kinds_) == 0) leave();
  }
  // A client has unsubscribed. True: it was the last of these.
  bool unsubscribed() {
    if (load(subscribers_) <= 0 || __atomic_sub_fetch(&subscribers_, 1, __ATOMIC_RELAXED) > 0) return false;
    if (load(kinds_) == 0) leave();
    return true;
  }
  bool are_done(uint64_t now) const {
    return load(have_flushed_) != 0 && load(kinds_) <= 0 && load(subscribers_) <= 0 &&
           now >= load(last_call_) + kQuietNs;
  }

 private:
  static constexpr int32_t kUnknownKinds = 1 << 20;

  template <class Value>
  static Value load(const Value& value) {
    return __atomic_load_n(&value, __ATOMIC_RELAXED);
  }
  template <class Value>
  static void store(Value& value, Value to) {
    __atomic_store_n(&value, to, __ATOMIC_RELAXED);
  }
  // Who has no subscription any more can do nothing: there is no reason to wait.
  void leave() {
    store(have_flushed_, 1u);
    store(last_call_, uint64_t{0});
  }

  int32_t kinds_ = 0;
  int32_t subscribers_ = 0;
  uint32_t have_flushed_ = 0;
  uint64_t last_call_ = 0;
};

}  // namespace tauprof::capture
