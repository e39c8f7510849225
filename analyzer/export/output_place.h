// Where an export goes: under a hidden name beside its path, and to the path itself only when it is complete. Until
// then nothing of it outlives the process, whether it fails, is interrupted, or is asked to end.
#pragma once

#include <memory>
#include <string>

#include "model/status.h"

namespace tauprof {

enum class OutputKind { kFile, kDirectory };

class OutputPlace {
 public:
  OutputPlace();
  ~OutputPlace();  // removes what was not published
  OutputPlace(const OutputPlace&) = delete;
  OutputPlace& operator=(const OutputPlace&) = delete;

  // Fails if the path cannot be written: an existing file is replaced, a directory must be empty or not there.
  static Status check(const std::string& path, OutputKind kind);
  // Makes the hidden directory, which holds what is written: a writer that opens its file again after the directory has
  // been removed fails. From here on SIGHUP, SIGINT and SIGTERM remove it before they end the process; call it before
  // other threads start that could take these signals.
  Status open(const std::string& path, OutputKind kind);
  // The name to write to until `publish`.
  const std::string& hidden() const;
  Status publish();
  // A failure to write there, with the name that the user knows.
  Status in_words(const Status& failure) const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace tauprof
