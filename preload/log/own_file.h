// A file of ours in a process of somebody else. Where our descriptors are not in a table of their own (file_calls.h),
// the program may close one, or put a file of its own under the same number, at any time. So before each use the
// descriptor is compared with what we created (device and inode); if it is not ours any more, the file is opened again
// by its name. The number lies above those that programs get and is never 0, 1 or 2, so the program's own files have
// the numbers that they have without us.
//
// Offsets are explicit: nothing depends on a file position. Functions return 0 or errno.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/raw_array.h"

namespace tauprof::log {

class OwnFile {
 public:
  OwnFile() = default;
  ~OwnFile() { close(); }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;

  // Creates the file, which must not exist, not even as a symbolic link.
  int create(const char* path);
  bool is_open() const { return descriptor_ >= 0; }
  // Whether the file still has a name. 0: yes, or it cannot be told; ENOENT: it is gone; ESTALE: something else is
  // there.
  int look() const;

  int write_at(uint64_t offset, const uint8_t* bytes, size_t size);
  int cut_after(uint64_t size);
  // EIO if there are less than `size` bytes.
  int read_at(uint64_t offset, uint8_t* bytes, size_t size);

  // Gives the file another name, which another file of ours has: that file is gone.
  int replace(OwnFile& other);
  int close();
  // Closes and deletes the file, unless its name stands for something else by now.
  int remove();

  void swap(OwnFile& other);

 private:
  int create_here(const char* path);
  int write_here(uint64_t offset, const uint8_t* bytes, size_t size);
  int make_usable();
  int open_again();
  bool is_ours(int descriptor) const;
  int look_at_name() const;

  ByteArray path_;  // including the NUL
  int descriptor_ = -1;
  uint64_t device_ = 0, inode_ = 0;
};

}  // namespace tauprof::log
