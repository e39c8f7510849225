// A CUDA runtime of the major version RUNTIME_MAJOR, which tells its version in what it returns.
extern "C" {
__attribute__((visibility("default"))) int cudaEventQuery(void*) { return RUNTIME_MAJOR; }
__attribute__((visibility("default"))) int cudaStreamQuery(void*) { return RUNTIME_MAJOR; }
}
