// The file behind the truth: lines appended to a mapped file, so that they outlive the process however it ends.
//
// The file grows in steps; what has not been written yet reads as NUL bytes until the file is closed in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace simgpu {

class MappedAppendFile {
 public:
  // False, with errno: it could not be made.
  bool create(const std::string& path);
  bool is_open() const { return descriptor_ >= 0; }
  // False, with errno: the file cannot grow; it is closed.
  bool append(std::string_view text);
  // Cuts the file to its length.
  void close();

 private:
  bool next_window();

  int descriptor_ = -1;
  std::uint64_t window_begin_ = 0;  // of the file
  char* window_ = nullptr;
  std::size_t used_ = 0;  // of the window
};

}  // namespace simgpu
