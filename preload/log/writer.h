// Writes one log file: rows are gathered per record kind, packed column by column, compressed and
// appended as blocks. It runs inside the user's process: no exceptions, no C++ runtime library, no
// thread of its own, memory bounded by kBatchRecords rows a kind plus the texts and state kept for
// recaps.
//
// Not thread-safe: one thread owns a writer. After a failure every call does nothing and returns
// false; error() says why. What was flushed before stays readable.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/format.h"

namespace tauprof::log {

class Writer {
 public:
  static constexpr uint32_t kBatchRecords = 16384;  // rows of one kind that make a block by themselves

  Writer();
  ~Writer();  // without a close() before it: flushes, but writes no end, so that a reader sees a cut log
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Creates `path` (it must not exist) and writes the header. The caller fills the descriptive
  // fields; magic, versions, sizes, features and checksum are set here.
  bool open(const char* path, const FileHeader& header);

  // Names the run in the header, where it is known only now.
  bool set_run_id(const char* run_id);

  // Adds one record; it reaches the file with a later flush or a full batch. State that says what
  // the log says already is not written again.
  template <class Record>
  bool append(const Record& record) {
    static_assert(Record::kKind != RecordKind::kString, "texts are added by intern()");
    return append_row(Record::kKind, reinterpret_cast<const int64_t*>(&record));
  }

  // The id of a text (from 1); the same text gives the same id. Longer texts than kMaxTextBytes are
  // cut there. 0: the empty text, or failure.
  int64_t intern(const char* text, size_t size);

  // Writes everything gathered so far as blocks.
  bool flush();

  // Makes the file shorter: all state, then what was written after the first `offset` bytes, which is
  // where bytes_written() stood after a flush. Records of the remaining file count from 0 again.
  bool drop_before(uint64_t offset);

  // From where the file would grow beyond `bytes`, events are discarded; texts, state, gaps, drops and the end are not.
  void set_event_limit(uint64_t bytes);
  bool is_full() const;  // some were

  // flush, the end record, a recap of all state and of the end, close.
  bool close(int64_t time, const char* reason);

  // Takes the file away, as if nothing had been recorded; nothing more can be written.
  bool remove();

  bool ok() const;    // opened, and nothing has failed
  int error() const;  // errno of the first failure; 0 when ok()
  uint64_t bytes_written() const;
  uint64_t records_written() const;  // without recaps

 private:
  bool append_row(RecordKind kind, const int64_t* values);
  struct State;
  State* state_;
};

}  // namespace tauprof::log
