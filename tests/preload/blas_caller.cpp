// A library that multiplies with the cuBLAS that it is linked with.
extern "C" {
int cublasCreate_v2(void** handle);
int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*,
                   float*, int);
__attribute__((visibility("default"))) int ask_event() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float one = 1;
  const volatile int status =
      cublasSgemm_v2(handle, 0, 0, BLAS_MAJOR, 8, 8, &one, nullptr, 8, nullptr, 8, &one, nullptr, 8);
  return status;
}
}
