// A growable array of plain values on malloc, for the writer: in other people's processes, running out of memory must
// be a return value, not an exception.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

namespace tauprof::log {

template <class T>
class RawArray {
 public:
  RawArray() = default;
  ~RawArray() { free(data_); }
  RawArray(const RawArray&) = delete;
  RawArray& operator=(const RawArray&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  T& operator[](size_t index) { return data_[index]; }
  const T& operator[](size_t index) const { return data_[index]; }

  // Bytes that room for `count` more values takes.
  size_t growth(size_t count) const { return (grown(count) - capacity_) * sizeof(T); }

  // Makes room for `count` more values. False: memory is short.
  bool reserve_more(size_t count) {
    const size_t capacity = grown(count);
    if (capacity == capacity_) return true;
    void* data = realloc(data_, capacity * sizeof(T));
    if (data == nullptr) return false;
    data_ = static_cast<T*>(data);
    capacity_ = capacity;
    return true;
  }

  // Must stay within what was reserved. The caller writes the new values.
  void set_size(size_t size) { size_ = size; }

  bool append(const T* values, size_t count) {
    if (!reserve_more(count)) return false;
    memcpy(data_ + size_, values, count * sizeof(T));
    size_ += count;
    return true;
  }

  // Replaces the content with `count` zeros.
  bool assign_zeros(size_t count) {
    size_ = 0;
    if (!reserve_more(count)) return false;
    memset(static_cast<void*>(data_), 0, count * sizeof(T));
    size_ = count;
    return true;
  }

  void swap(RawArray& other) {
    T* const data = data_;
    const size_t size = size_, capacity = capacity_;
    data_ = other.data_, size_ = other.size_, capacity_ = other.capacity_;
    other.data_ = data, other.size_ = size, other.capacity_ = capacity;
  }

 private:
  size_t grown(size_t count) const {
    if (count <= capacity_ - size_) return capacity_;
    return capacity_ * 2 < size_ + count ? size_ + count : capacity_ * 2;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

using ByteArray = RawArray<uint8_t>;

}  // namespace tauprof::log
