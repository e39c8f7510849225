// A library that is linked with one of the fake runtimes. No call is in tail position: that would be a jump, which
// leaves no return address in this library.
extern "C" {
int cudaEventQuery(void*);
int cudaStreamQuery(void*);
__attribute__((visibility("default"))) int ask_event() {
  const volatile int answer = cudaEventQuery(nullptr);
  return answer;
}
__attribute__((visibility("default"))) int ask_stream() {
  const volatile int answer = cudaStreamQuery(nullptr);
  return answer;
}
}
