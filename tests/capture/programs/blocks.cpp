// A thread blocks in its first call, because the device waits for a host function: blocks SECONDS MILLISECONDS. The
// host function takes SECONDS. The program ends MILLISECONDS after the thread has started to wait; with 0, it ends when
// the thread does.
#include <chrono>
#include <thread>

#include "device_work.h"

namespace {

using programs::check;

void take_seconds(void* seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(*static_cast<double*>(seconds)));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  static double seconds = std::atof(arguments[1]);
  const int milliseconds = std::atoi(arguments[2]);
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  check(cudaLaunchHostFunc(stream, take_seconds, &seconds), "cudaLaunchHostFunc");
  std::thread waiting([&] { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); });
  std::printf("blocks\n");
  std::fflush(stdout);
  if (milliseconds == 0) {
    waiting.join();
    return 0;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  std::exit(0);
}
