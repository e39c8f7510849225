// A profiler plugin of NCCL's that somebody else has installed. It asks for the calls and writes a line for each of
// their events to the file that SECOND_PLUGIN_OUT names: "start TYPE FUNCTION", "stop TYPE". It needs no C++ runtime
// library, so that gpu-acceptance can take it to other machines.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::uint64_t kGroupApi = 1u << 8, kCollApi = 1u << 9, kP2pApi = 1u << 10;

// Of NCCL's own structure, the part that all events of calls share.
struct Descriptor {
  std::uint64_t type;
  void* parent;
  int rank;
  const char* function;
};

struct Event {
  std::uint64_t type;
};

std::FILE* file;

std::FILE* output() {
  if (file == nullptr) {
    file = std::fopen(std::getenv("SECOND_PLUGIN_OUT"), "a");
    std::setvbuf(file, nullptr, _IOLBF, BUFSIZ);  // ranks write to one file, whole lines
  }
  return file;
}

int init(void** context, std::uint64_t, int* mask, const char*, int, int ranks, int rank, void*) {
  static int some_context;
  *context = &some_context;
  *mask = kGroupApi | kCollApi | kP2pApi;
  std::fprintf(output(), "init %d of %d\n", rank, ranks);
  return 0;
}

int start(void*, void** handle, Descriptor* what) {
  auto* const event = static_cast<Event*>(std::malloc(sizeof(Event)));
  event->type = what->type;
  *handle = event;
  std::fprintf(output(), "start %lu %s\n", static_cast<unsigned long>(what->type),
               what->type == kGroupApi ? "group" : what->function);
  return 0;
}

int stop(void* handle) {
  auto* const event = static_cast<Event*>(handle);
  std::fprintf(output(), "stop %lu\n", static_cast<unsigned long>(event->type));
  std::free(event);
  return 0;
}

int record(void*, int, void*) { return 0; }
int finalize(void*) { return std::fflush(output()); }

struct Plugin {
  const char* name;
  void* functions[5];
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const Plugin PLUGIN_INTERFACE;
const Plugin PLUGIN_INTERFACE = {
    "second",
    {reinterpret_cast<void*>(init), reinterpret_cast<void*>(start), reinterpret_cast<void*>(stop),
     reinterpret_cast<void*>(record), reinterpret_cast<void*>(finalize)}};
