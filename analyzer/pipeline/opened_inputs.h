// A command's inputs, as logs. Logs stay where they are; other tools' traces (import/input_files.h says what is one)
// are imported first, into a folder of the command's own in TMPDIR that is removed when the command ends. A folder
// rather than memory, because an analysis reads its logs more than once, and logs take a tenth of their traces.
//
//   analyze logs            → logs
//   analyze timelines       → timelines, which stand for the logs that they were made of
//   analyze traces          → TMPDIR/…/rank-0.tauprof …
//   analyze rank-0.json.gz rank-1.json.gz   → one run of two ranks
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "export/output_place.h"
#include "import/input_files.h"
#include "model/progress.h"
#include "model/status.h"

namespace tauprof {

class OpenedInputs {
 public:
  // Adds a line to `notes` for what was left out or is damaged. Fails where nothing of a path can be read.
  Status open(const std::vector<std::string>& paths, Progress* progress, std::vector<std::string>& notes);

  const std::vector<std::string>& logs() const { return logs_; }            // and folders of them
  const std::vector<std::string>& timelines() const { return timelines_; }  // files
  bool has_imported() const { return !sources_.empty(); }                   // some of the logs are traces
  uint64_t failed_files() const { return failed_files_; }                   // traces of which nothing could be imported
  uint64_t damaged_files() const { return damaged_files_; }                 // traces of which a part could be imported

  // The file as the user named it: of a log that was imported, the trace.
  std::string name_of(const std::string& file) const;
  // A text, with files as the user named them.
  std::string in_words(std::string text) const;

 private:
  Status add_path(const std::string& path, InputFiles& found, std::vector<std::string>& notes);
  Status add_file(const std::string& path, InputFiles& found);
  void add_timelines_beside(const std::string& folder);
  Status add_folder(const std::string& path, InputFiles& found, std::vector<std::string>& notes);
  Status import(const InputFiles& found, Progress* progress, std::vector<std::string>& notes);

  std::vector<std::string> logs_;
  std::vector<std::string> timelines_;
  OutputPlace folder_;
  std::map<std::string, std::string> sources_;  // by log
  uint64_t failed_files_ = 0;
  uint64_t damaged_files_ = 0;
};

}  // namespace tauprof
