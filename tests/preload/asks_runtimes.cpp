// Opens libraries and prints which runtime each reaches: asks_runtimes [WAY:FILE]…, where WAY is local, global or deep.
// "self" in place of a library: the program asks, too.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string>

#if IS_LINKED
extern "C" int cudaEventQuery(void*);
static int ask() { return cudaEventQuery(nullptr); }
#else
static int ask() {
  const auto function = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_DEFAULT, "cudaEventQuery"));
  return function != nullptr ? function(nullptr) : 0;
}
#endif

static int flags_of(const std::string& way) {
  return way == "global" ? RTLD_GLOBAL : way == "deep" ? RTLD_DEEPBIND : RTLD_LOCAL;
}

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "self") == 0) {
      std::printf("%d\n", ask());
      continue;
    }
    const char* const colon = std::strchr(arguments[i], ':');
    void* const handle = dlopen(colon + 1, RTLD_LAZY | flags_of(std::string(arguments[i], colon - arguments[i])));
    if (handle == nullptr) return std::printf("%s\n", dlerror()), 2;
    if (const auto question = reinterpret_cast<int (*)()>(dlsym(handle, "ask_event"))) std::printf("%d\n", question());
  }
}
