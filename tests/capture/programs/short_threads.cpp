// Starts waves of short-lived threads. Some of them are still at work when the process ends: short_threads WAVES WIDTH
// ROUNDS.
#include <thread>
#include <vector>

#include "device_work.h"

int main(int count, char** arguments) {
  const int waves = count > 1 ? std::atoi(arguments[1]) : 10;
  const int width = count > 2 ? std::atoi(arguments[2]) : 8;
  const int rounds = count > 3 ? std::atoi(arguments[3]) : 10;
  for (int wave = 0; wave < waves; ++wave) {
    std::vector<std::thread> threads;
    for (int i = 0; i < width; ++i) threads.emplace_back([=] { programs::DeviceWork().rounds(rounds); });
    for (std::thread& thread : threads) thread.join();
  }
  std::printf("%d rounds\n", waves * width * rounds);
  return 0;
}
