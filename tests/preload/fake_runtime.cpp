// A CUDA runtime of the major version RUNTIME_MAJOR, whose functions return that version.
extern "C" {
__attribute__((visibility("default"))) int cudaEventQuery(void*) { return RUNTIME_MAJOR; }
__attribute__((visibility("default"))) int cudaStreamQuery(void*) { return RUNTIME_MAJOR; }
__attribute__((visibility("default"))) int cudaRuntimeGetVersion(int* version) {
  *version = RUNTIME_MAJOR * 1000;
  return 0;
}
}
