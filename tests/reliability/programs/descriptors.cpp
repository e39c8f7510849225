// Does device work, takes descriptors away from whoever has them, opens a file of its own and goes on:
// descriptors WAY FILE. At the end it prints what the file holds. `number` prints the numbers that it gets instead.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <set>
#include <string>
#include <thread>

#include "device_work.h"

namespace {

constexpr char kText[] = "the program's own file\n";

int open_own(const char* path) {
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0) std::_Exit(2);
  return file;
}

void write_own(int file) {
  for (int i = 0; i < 100; ++i)
    if (write(file, kText, sizeof kText - 1) < 0) std::_Exit(2);
}

// Opens files until none of a library's descriptors can be free, so the file has every number that was closed.
void close_all_and_open(const char* path) {
  for (int number = 3; number < 1024; ++number) close(number);
  const int file = open_own(path);
  write_own(file);
  for (int number = file + 1; number < 64; ++number) dup2(file, number);
}

void replace_each(const char* path) {
  const int file = open_own(path);
  write_own(file);
  for (int number = 3; number < 1024; ++number)
    if (number != file && fcntl(number, F_GETFD) >= 0) dup2(file, number);
}

// The numbers that the program gets while it does device work, for half a second.
void print_numbers() {
  std::set<int> numbers;
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
       std::chrono::steady_clock::now() < end;) {
    const int file = open_own("/dev/null");
    numbers.insert(file);
    close(file);
  }
  for (const int number : numbers) std::printf("number %d\n", number);
}

void print(const char* path) {
  const int file = open(path, O_RDONLY);
  char bytes[1 << 16];
  const ssize_t size = read(file, bytes, sizeof bytes);
  bool is_whole = size == static_cast<ssize_t>(100 * (sizeof kText - 1));
  for (int i = 0; is_whole && i < 100; ++i)
    is_whole = std::memcmp(bytes + i * (sizeof kText - 1), kText, sizeof kText - 1) == 0;
  std::printf("%zd bytes, %s\n", size, is_whole ? "as written" : "changed by somebody else");
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::string way = arguments[1];
  programs::DeviceWork work;
  work.rounds(20);
  if (way == "close") close_all_and_open(arguments[2]);
  if (way == "replace") replace_each(arguments[2]);
  if (way == "number") print_numbers();
  for (int i = 0; i < 5; ++i) {
    work.rounds(200);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
  if (way == "close" || way == "replace") print(arguments[2]);
  std::fflush(stdout);
  return 0;
}
