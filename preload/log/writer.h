// Writes one log file: gathers rows per record kind, packs them column by column, compresses them and appends them as
// blocks. It runs inside the user's process: no exceptions, no C++ runtime library, no thread of its own. Its memory is
// bounded by a budget, or else by kBatchRecords rows per kind, plus the texts and the state that recaps repeat.
//
// Not thread-safe: one thread owns a writer. While the disk takes no more, events are discarded and counted until
// resume() finds room. After any other failure every call does nothing and returns false. error() says why. What was
// flushed before stays readable.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/format.h"
#include "log/memory_budget.h"
#include "log/row_batch.h"

namespace tauprof::log {

struct WriterState;

class Writer {
 public:
  static constexpr uint32_t kBatchRecords = RowBatch::kMost;  // at most so many rows of one kind are in a block

  Writer();
  ~Writer();  // without close(): flushes, but writes no end record, so that readers see a truncated log
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Creates `path`, which must not exist, and writes the header. The caller fills in the descriptive fields; magic,
  // versions, sizes, features and checksum are set here.
  bool open(const char* path, const FileHeader& header);

  // Before the first record. `budget` outlives the writer. Where it has no more room, blocks become smaller, new texts
  // become "(too many texts)", and recaps do not repeat new state.
  void use(MemoryBudget& budget);
  // Rows of state that no recap repeats.
  uint64_t state_not_kept() const;

  // Writes the name of the run into the header, if it becomes known later.
  bool set_run_id(const char* run_id);

  // Adds one record, which a later flush or a full batch writes to the file. State that the log has already is not
  // written again.
  template <class Record>
  bool append(const Record& record) {
    static_assert(Record::kKind != RecordKind::kString, "texts are added by intern()");
    return append_row(Record::kKind, reinterpret_cast<const int64_t*>(&record));
  }

  // The id of a text, from 1; the same text gives the same id. Texts longer than kMaxTextBytes are truncated. 0: the
  // empty text, or failure.
  int64_t intern(const char* text, size_t size);

  // Writes all gathered records as blocks.
  bool flush();

  // Shortens the file to all state and what was written after its first `offset` bytes. `offset` must be a value of
  // bytes_written() after a flush. The records of the new file are numbered from 0.
  bool drop_before(uint64_t offset);

  // Events that would make the file longer than `bytes` are discarded; texts, state, gaps, drops and the end are not.
  void set_event_limit(uint64_t bytes);
  bool is_full() const;  // whether events have been discarded

  // The disk is full, or a limit on the file's size is reached: events are being discarded.
  bool is_blocked() const;
  // Tries to write again, first of all the state. False: there is still no room.
  bool resume();
  // Events of this kind discarded since the last call because there was no room.
  uint64_t take_discarded(RecordKind kind);
  // Whether the log is still where it was made. 0: yes; ENOENT: it is gone; ESTALE: something else is there.
  int look() const;

  // Flushes, writes the end record and a recap of all state and of the end, and closes the file.
  bool close(int64_t time, const char* reason);

  // Deletes the file, as if nothing had been recorded. Nothing more can be written.
  bool remove();

  bool ok() const;    // open, and nothing has failed for good
  int error() const;  // errno of the failure; 0: there is none
  uint64_t bytes_written() const;
  uint64_t records_written() const;  // without recaps

 private:
  bool append_row(RecordKind kind, const int64_t* values);
  WriterState* state_;
};

}  // namespace tauprof::log
