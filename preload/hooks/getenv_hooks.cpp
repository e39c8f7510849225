// getenv() and secure_getenv(): NVTX and the CUDA driver, which ask for the library of a tool, are told this one's.
//
// Who asks is known by what comes next: the tool's entry is looked up by its name. So the function that asks names the
// entry ("InitializeInjectionNvtx2": NVTX is compiled into each program and library that uses it), or belongs to the
// library that has cuInit. Everybody else gets what the environment has, the program's own question included.
//
// Who is told opens the library. A constructor on another thread, which has the loader's lock, may be waiting for that
// one: so nobody is told while the loader does not answer, and that copy of NVTX stays without a tool.
//
// Any thread may call these functions at any time, from signal handlers as well: they take no lock for other names.
#include <stdlib.h>
#include <string.h>

#include "capture/base/quiet.h"
#include "capture/loader/bound_function.h"
#include "capture/loader/code_text.h"
#include "capture/loader/loaded_definition.h"
#include "capture/loader/loaded_objects.h"
#include "capture/loader/loader_probe.h"
#include "capture/loader/object_symbols.h"
#include "hooks/libc_hooks.h"
#include "hooks/offered_library.h"
#include "hooks/relocated.h"

namespace tauprof::hooks {
namespace {

using Getenv = char* (*)(const char*);

Getenv g_getenv, g_secure_getenv;
const char* g_offered;

struct Question {
  char variable[32], entry[32];
  bool is_of_driver;
};
constexpr Question kQuestions[] = {{"NVTX_INJECTION64_PATH", "InitializeInjectionNvtx2", false},
                                   {"CUDA_INJECTION64_PATH", "InitializeInjection", true}};

// Looks through the table without taking the address of an entry's name: a second copy of this library in the process
// would take it for NVTX.
const Question* find_question(const char* variable) {
  const Question* question = kQuestions;
  asm("" : "+r"(question));
  for (size_t i = 0; i < sizeof kQuestions / sizeof *kQuestions; ++i, ++question)
    if (strcmp(question->variable, variable) == 0) return question;
  return nullptr;
}

// Constructors of other libraries may ask before ours has run.
[[gnu::cold, gnu::noinline]] char* ask_early(const Getenv& real, const char* name) {
  if (is_relocated()) find_real_getenv();
  return real != nullptr ? real(name) : nullptr;
}

bool is_driver(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    link_map map{};
    map.l_addr = object.dlpi_addr;
    map.l_ld = reinterpret_cast<ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    capture::SymbolReference initialization("cuInit");
    initialization.is_of_dlsym = true;
    return capture::ObjectSymbols(&map).definition(initialization) != nullptr;
  }
  return false;
}

// The code before `site` asks for the library of a tool, to load it.
bool loads_tools(const void* site, const Question& question) {
  const auto call = reinterpret_cast<uint64_t>(site) - 1;
  return capture::find_loaded_object([&](const dl_phdr_info& object) {
    capture::MappedRange range;
    if (!capture::maps_address(object, call, range)) return false;
    return capture::function_refers_to(object, call, question.entry) || (question.is_of_driver && is_driver(object));
  });
}

bool may_be_of_tools(const char* name) {
  return (name[0] == 'N' && name[1] == 'V') || (name[0] == 'C' && name[1] == 'U');
}

[[gnu::cold, gnu::noinline]] char* value_of_tools(Getenv real, const char* name, const void* site) {
  char* const value = real(name);
  if (value != nullptr) return value;
  const Question* const question = find_question(name);
  if (question == nullptr || capture::is_quiet() || !loads_tools(site, *question)) return nullptr;
  return may_be_inside_dlopen() || capture::loader_answers() ? const_cast<char*>(g_offered) : nullptr;
}

// Other names pass with a jump, unless this is compiled without optimisation.
[[gnu::always_inline]] inline char* ask(const Getenv& known, const char* name, const void* site) {
  const Getenv real = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  if (real == nullptr) return ask_early(known, name);
  if (offered_library() != nullptr && may_be_of_tools(name)) return value_of_tools(real, name, site);
  return real(name);
}

}  // namespace

void find_real_getenv() {
  __atomic_store_n(&g_secure_getenv, reinterpret_cast<Getenv>(capture::next_definition("secure_getenv")),
                   __ATOMIC_RELEASE);
  __atomic_store_n(&g_getenv, reinterpret_cast<Getenv>(capture::next_definition("getenv")), __ATOMIC_RELEASE);
}

void offer_library() {
  capture::with_loader_list([](const capture::LoaderList& list) {
    const link_map* const ours = capture::own_object(list);
    if (ours != nullptr) __atomic_store_n(&g_offered, ours->l_name, __ATOMIC_RELEASE);
  });
}

void withdraw_library() { __atomic_store_n(&g_offered, nullptr, __ATOMIC_RELEASE); }

const char* offered_library() { return __atomic_load_n(&g_offered, __ATOMIC_ACQUIRE); }

}  // namespace tauprof::hooks

extern "C" {
__attribute__((visibility("default"))) char* getenv(const char* name) noexcept {
  using namespace tauprof::hooks;
  return ask(g_getenv, name, __builtin_return_address(0));
}
__attribute__((visibility("default"))) char* secure_getenv(const char* name) noexcept {
  using namespace tauprof::hooks;
  return ask(g_secure_getenv, name, __builtin_return_address(0));
}
}
