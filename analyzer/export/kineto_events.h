// Events of PyTorch's trace format (Chrome's, as Kineto writes it), one after the other in a gzip file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "export/gzip_file.h"
#include "model/time.h"

namespace tauprof::kineto_export {

// A text as JSON, with its quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

class EventFile {
 public:
  Status open(const std::string& path);
  // Members of the outermost object; `value` is JSON. They come before the events.
  void add_member(std::string_view name, std::string_view value);

  // A slice. `name` and `category` are JSON texts with quotes; `args`: "" or members of an object.
  void add_slice(std::string_view category, std::string_view name, int64_t process, int64_t thread, Interval time,
                 std::string_view args);
  void add_instant(std::string_view category, std::string_view name, int64_t process, int64_t thread, Nanoseconds time);
  // An arrow from the call to the work with one correlation.
  void add_flow(int64_t correlation, int64_t process, int64_t thread, Nanoseconds time, bool is_start);
  // `kind`: process_name and others; `text` is a JSON text.
  void add_metadata(std::string_view kind, int64_t process, int64_t thread, std::string_view text);

  Status close();

 private:
  std::string& next_event();
  void write_event();

  GzipFile file_;
  std::string line_;
  bool has_members_ = false;
  bool has_events_ = false;
};

}  // namespace tauprof::kineto_export
