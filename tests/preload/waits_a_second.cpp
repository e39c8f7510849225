// Makes a CUDA call, then does nothing for a second.
#include <chrono>
#include <cstdio>
#include <thread>

extern "C" int cudaEventQuery(void*);

int main() {
  std::printf("%d\n", cudaEventQuery(nullptr));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  return 0;
}
