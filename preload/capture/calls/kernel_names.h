// The device names of kernels, from the registration calls that the compiler puts into every program with kernels:
// names without CUPTI. Only pointers are kept. A name is valid while its library is loaded, so at least while the
// kernel is launched.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

class KernelNames {
 public:
  // `key`: a kernel's host function, or its handle. Any thread.
  void add(const void* key, const char* name);
  // The mangled name; null if the kernel is not known.
  const char* find(const void* key) const;

 private:
  struct Entry {
    const void* key;
    const char* name;
  };
  struct Table {
    size_t slots;  // a power of two
    Entry entries[];
  };
  static constexpr size_t kPage = 4096;
  static size_t bytes_of(size_t slots) { return sizeof(Table) + slots * sizeof(Entry); }
  static Entry* slot_of(Table* table, const void* key);
  static Table* make_table(size_t slots);
  bool grow();

  Table* table_;
  size_t count_;
  uint32_t lock_;
};

extern KernelNames kernel_names;

}  // namespace tauprof::capture
