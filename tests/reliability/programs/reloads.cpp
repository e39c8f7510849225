// Opens, uses and closes plugins, as programs do that load generated or rebuilt code: reloads WAY FOLDER. FOLDER has
// builds 1 and 2 of the plugin, build1.so and build2.so, and private.so, which alone uses a runtime of its own.
//
//   replace  a build is used, closed, replaced on disk by the next one, and used
//   address  as replace, with a program that goes on making calls; the next build may lie where the first one lay
//   runtime  private.so is used and closed, and then neither it nor its runtime is there; then build 1 is used
//   many     2,000 plugins, each under a name of its own
//   busy     plugins come and go while another thread makes calls
//   timed    private.so, whose runtime takes long for events, makes the first call, and goes while another thread makes
//            calls of another runtime's
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "counted_calls.h"

namespace {

std::string folder;

bool is_loaded(const std::string& file) {
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

int use_once(const std::string& file) {
  void* const plugin = dlopen(file.c_str(), RTLD_NOW);
  if (plugin == nullptr) {
    std::printf("%s\n", dlerror());
    return -1;
  }
  const int answer = reinterpret_cast<int (*)()>(dlsym(plugin, "work"))();
  dlclose(plugin);
  return answer;
}

void use_and_tell(const std::string& file) {
  const int answer = use_once(file);
  std::printf("answered %d, loaded afterwards: %d\n", answer, is_loaded(file));
}

void replace(bool works_between) {
  const std::string file = folder + "/plugin.so";
  for (int i = 0; i < 6; ++i) {
    std::filesystem::remove(file);
    std::filesystem::copy_file(folder + "/build" + std::to_string(1 + i % 2) + ".so", file);
    use_and_tell(file);
    if (works_between) programs::make_calls(50);
  }
}

void use_private_runtime() {
  const std::string runtime = folder + "/private/libcudart.so.12";
  for (int i = 0; i < 3; ++i) {
    use_and_tell(folder + "/private.so");
    std::printf("its runtime is loaded: %d\n", is_loaded(runtime));
    use_and_tell(folder + "/build1.so");
    programs::make_calls(50);
  }
}

void use_many(int plugins) {
  const std::string file = folder + "/generated.so";
  int wrong = 0, left = 0;
  for (int i = 0; i < plugins; ++i) {
    const int build = 1 + i % 2;
    const std::string own = file + std::to_string(i);
    std::filesystem::create_hard_link(folder + "/build" + std::to_string(build) + ".so", own);
    wrong += use_once(own) != build * 100 + 1;
    left += is_loaded(own);
    std::filesystem::remove(own);
  }
  std::printf("%d wrong answers, %d left\n", wrong, left);
}

void use_beside_a_busy_thread() {
  std::atomic<bool> is_over = false;
  std::thread busy([&] {
    while (!is_over) programs::make_calls(100);
  });
  use_many(300);
  is_over = true;
  busy.join();
}

void close_the_first_runtime() {
  void* const plugin = dlopen((folder + "/private.so").c_str(), RTLD_NOW);
  reinterpret_cast<int (*)()>(dlsym(plugin, "work"))();
  usleep(50'000);
  std::thread busy([] { programs::make_calls(500); });
  while (programs::calls_made < 5) usleep(100);
  dlclose(plugin);
  busy.join();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::string way = arguments[1];
  folder = arguments[2];
  if (way != "runtime" && way != "timed") programs::use_device();  // else the plugin makes the first call of all
  if (way == "replace" || way == "address") replace(way == "address");
  if (way == "runtime") use_private_runtime();
  if (way == "many") use_many(2000);
  if (way == "busy") use_beside_a_busy_thread();
  if (way == "timed") close_the_first_runtime();
  cudaDeviceSynchronize();
  return programs::print_calls();
}
