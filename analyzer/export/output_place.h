// Where output goes: under a hidden name beside its path, and to the path itself only when it is complete. Until then
// nothing of it outlives the process, whether it fails, is interrupted, or is asked to end.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/status.h"

namespace tauprof {

// A text may also go to what is no regular file, such as a pipe or /dev/stdout: that is written as it is.
enum class OutputKind { kFile, kText, kDirectory };

class OutputPlace {
 public:
  OutputPlace();
  ~OutputPlace();  // removes what was not published
  OutputPlace(const OutputPlace&) = delete;
  OutputPlace& operator=(const OutputPlace&) = delete;

  // Fails if the path cannot be written: an existing file is replaced and keeps its mode, a directory must be empty or
  // not there.
  static Status check(const std::string& path, OutputKind kind);
  // Makes the hidden directory, which holds what is written: a writer that opens its file again after the directory has
  // been removed fails. From here on SIGHUP, SIGINT and SIGTERM remove it before they end the process; call it before
  // other threads start that could take these signals.
  Status open(const std::string& path, OutputKind kind);
  // The same for a folder in TMPDIR that only this user may enter and that is never published.
  Status open_temporary();
  // The name to write to until `publish`.
  const std::string& hidden() const;
  Status publish();
  // A failure to write there, with the name that the user knows.
  Status in_words(const Status& failure) const;

  // The whole of a text, at once.
  static Status write_text(const std::string& path, std::string_view text);

 private:
  struct Shared;
  struct Open;
  std::shared_ptr<Shared> shared_;
};

}  // namespace tauprof
