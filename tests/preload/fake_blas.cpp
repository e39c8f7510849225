// A cuBLAS of the major version BLAS_MAJOR, whose handles only this copy knows: asked about another's, it ends the
// process. The stream of a handle is its number.
#include <cstdlib>

namespace {

struct Handle {
  const void* maker;
  long stream;
};
const char g_maker = 0;

}  // namespace

#define SHOWN __attribute__((visibility("default")))

extern "C" {
SHOWN int cublasCreate_v2(void** handle) {
  *handle = new Handle{&g_maker, BLAS_MAJOR * 1000};
  return 0;
}
SHOWN int cublasGetStream_v2(void* handle, void** stream) {
  if (static_cast<Handle*>(handle)->maker != &g_maker) std::_Exit(99);
  *stream = reinterpret_cast<void*>(static_cast<Handle*>(handle)->stream);
  return 0;
}
SHOWN int cublasSgemm_v2(void*, int, int, int, int, int, ...) { return 0; }
}
