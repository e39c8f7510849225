// A CUDA runtime, cuBLAS and cublasLt of somebody else's making, in one library without symbol versions. It refuses
// handles that it did not make; a program that gets some functions from here and some from NVIDIA's library fails.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kInvalid = 7;
constexpr uint64_t kOurs = 0xFA4EFA4E;

struct Handle {
  uint64_t mark = kOurs;
  void* stream = nullptr;
  uint64_t rows = 0, columns = 0;
};

bool is_ours(const void* handle) { return handle != nullptr && static_cast<const Handle*>(handle)->mark == kOurs; }

int make(void** handle) {
  *handle = new Handle;
  return 0;
}

template <class Value>
int give(Value value, void* buffer, size_t size, size_t* written) {
  if (size < sizeof value) return kInvalid;
  std::memcpy(buffer, &value, sizeof value);
  if (written != nullptr) *written = sizeof value;
  return 0;
}

}  // namespace

#define SHOWN __attribute__((visibility("default")))

extern "C" {
SHOWN int cudaMalloc(void** memory, size_t bytes) { return (*memory = std::malloc(bytes)) != nullptr ? 0 : 2; }
SHOWN int cudaStreamCreate(void** stream) { return make(stream); }
SHOWN int cudaMemsetAsync(void* memory, int value, size_t bytes, void* stream) {
  std::memset(memory, value, bytes);
  return is_ours(stream) ? 0 : kInvalid;
}
SHOWN int cudaStreamSynchronize(void* stream) { return is_ours(stream) ? 0 : kInvalid; }

SHOWN int cublasCreate_v2(void** handle) { return make(handle); }
SHOWN int cublasSetStream_v2(void* handle, void* stream) {
  if (!is_ours(handle) || !is_ours(stream)) return kInvalid;
  static_cast<Handle*>(handle)->stream = stream;
  return 0;
}
SHOWN int cublasGetStream_v2(void* handle, void** stream) {
  if (!is_ours(handle)) return kInvalid;
  *stream = static_cast<Handle*>(handle)->stream;
  return 0;
}
SHOWN int cublasSgemm_v2(void* handle, ...) { return is_ours(handle) ? 0 : kInvalid; }

SHOWN int cublasLtCreate(void** handle) { return make(handle); }
SHOWN int cublasLtMatmulDescCreate(void** operation, int, int) { return make(operation); }
SHOWN int cublasLtMatrixLayoutCreate(void** layout, int, uint64_t rows, uint64_t columns, int64_t) {
  make(layout);
  static_cast<Handle*>(*layout)->rows = rows;
  static_cast<Handle*>(*layout)->columns = columns;
  return 0;
}
SHOWN int cublasLtMatrixLayoutGetAttribute(const void* layout, int attribute, void* value, size_t size,
                                           size_t* written) {
  constexpr int kRows = 2, kColumns = 3;
  if (!is_ours(layout)) return kInvalid;
  const auto* const known = static_cast<const Handle*>(layout);
  if (attribute == kRows) return give(known->rows, value, size, written);
  return attribute == kColumns ? give(known->columns, value, size, written) : kInvalid;
}
SHOWN int cublasLtMatmulDescGetAttribute(const void*, int, void*, size_t, size_t*) { return kInvalid; }
SHOWN int cublasLtMatmul(void* handle, void* operation, const void*, const void*, void* a, const void*, void* b,
                         const void*, const void*, void* c, void*, void* d, const void*, void*, size_t, void* stream) {
  const void* const all[] = {handle, operation, a, b, c, d, stream};
  for (const void* one : all)
    if (!is_ours(one)) return kInvalid;
  return 0;
}
}
