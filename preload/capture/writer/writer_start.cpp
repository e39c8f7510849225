#include "capture/writer/writer_start.h"

#include "capture/base/clock.h"
#include "capture/base/signals.h"
#include "capture/rows/loss_rows.h"

namespace tauprof::capture {

// Without signals: a handler may end the process, for which the writer's thread may want the mutex.
void WriterStart::devices_have_started() {
  const BlockedSignals blocked;
  pthread_mutex_lock(&mutex_);
  devices_have_started_ = true;
  pthread_mutex_unlock(&mutex_);
}

void WriterStart::goes_on_without_devices(uint64_t now) {
  const BlockedSignals blocked;
  pthread_mutex_lock(&mutex_);
  if (!devices_have_started_) devices_missing_since_ns_ = now;
  pthread_mutex_unlock(&mutex_);
}

void WriterStart::begin() {
  const BlockedSignals blocked;
  pthread_mutex_lock(&mutex_);
  may_begin_ = true;
  pthread_mutex_unlock(&mutex_);
}

// The threads that set up CUPTI and the window finish before the writer's starts.
bool WriterStart::may_begin() {
  pthread_mutex_lock(&mutex_);
  const bool may_begin = may_begin_;
  pthread_mutex_unlock(&mutex_);
  return may_begin;
}

bool WriterStart::may_use_devices() {
  if (may_use_devices_) return true;
  pthread_mutex_lock(&mutex_);
  may_use_devices_ = devices_have_started_;
  pthread_mutex_unlock(&mutex_);
  if (may_use_devices_) write_missing_devices(now_ns());
  return may_use_devices_;
}

void WriterStart::write_missing_devices(uint64_t now) {
  pthread_mutex_lock(&mutex_);
  const uint64_t since = devices_missing_since_ns_;
  devices_missing_since_ns_ = 0;
  pthread_mutex_unlock(&mutex_);
  if (since != 0)
    append_gap(writer_, since, now, "the loader was busy: CUPTI was not there yet", log::GapScope::kDevice);
}

}  // namespace tauprof::capture
