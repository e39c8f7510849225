// The truth's file: lines are appended to a mapped file, so that they outlive the process however it ends.
//
// The file grows in steps. Unwritten bytes read as NUL until an orderly close.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace simgpu {

class MappedAppendFile {
 public:
  // False, with errno: it could not be created.
  bool create(const std::string& path);
  bool is_open() const { return descriptor_ >= 0; }
  // False, with errno: the file cannot grow and has been closed.
  bool append(std::string_view text);
  // Truncates the file to its contents.
  void close();

 private:
  bool next_window();

  int descriptor_ = -1;
  std::uint64_t window_begin_ = 0;  // of the file
  char* window_ = nullptr;
  std::size_t used_ = 0;  // of the window
};

}  // namespace simgpu
