// Loads libraries into scopes of their own, in the order of the arguments, and prints three times which runtime each
// reaches.
#include <dlfcn.h>

#include <cstdio>
#include <vector>

int main(int count, char** arguments) {
  std::vector<void*> handles;
  for (int i = 1; i < count; ++i) {
    handles.push_back(dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL));
    if (handles.back() == nullptr) return std::printf("%s\n", dlerror()), 2;
  }
  for (int round = 0; round < 3; ++round)
    for (void* handle : handles)
      for (const char* question : {"ask_event", "ask_stream"})
        std::printf("%d\n", reinterpret_cast<int (*)()>(dlsym(handle, question))());
}
