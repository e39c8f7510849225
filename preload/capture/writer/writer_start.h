// Signals from the program's threads to the writer's while recording starts: that it may begin, and that CUPTI is
// there.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "log/writer.h"

namespace tauprof::capture {

class WriterStart {
 public:
  explicit WriterStart(log::Writer& writer) : writer_(writer) {}

  // On the program's threads.
  void begin();
  void devices_have_started();
  // The program goes on before that.
  void goes_on_without_devices(uint64_t now);

  // On the writer's thread, or the one that does its work.
  bool may_begin();
  // The first time that it is so, a gap in the log says for how long it was not.
  bool may_use_devices();
  void write_missing_devices(uint64_t now);

 private:
  log::Writer& writer_;
  // A mutex of pthread's, because ThreadSanitizer sees those: what CUPTI set up on the program's thread, the writer's
  // uses.
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  bool devices_have_started_ = false;      // under the mutex
  uint64_t devices_missing_since_ns_ = 0;  // under the mutex; 0: they are not, or that has been written
  bool may_begin_ = false;                 // under the mutex
  bool may_use_devices_ = false;           // the writer's own copy
};

}  // namespace tauprof::capture
