// Receives NVTX calls by injection: NVTX loads the library that it is told of (getenv_hooks.cpp), which is the
// preloaded one, and calls InitializeInjectionNvtx2 once for each copy of NVTX in the process.
#include <nvtx3/nvToolsExt.h>
#include <stdint.h>

#include "capture/rings/thread_state.h"
#include "capture/rows/text_table.h"
#include "capture/window/open_ranges.h"

namespace tauprof::hooks {
namespace {

using capture::text_table;
using capture::thread_state;

// The handles of registered strings and domains are numbers of texts.
template <class Handle>
Handle handle_of(uint32_t text) {
  return reinterpret_cast<Handle>(uintptr_t{text});
}
template <class Handle>
uint32_t text_of(Handle handle) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(handle));
}

uint32_t text_of_event(const nvtxEventAttributes_t* event) {
  if (event == nullptr) return 0;
  switch (event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return text_table.number_of(event->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE:
      return text_table.number_of(event->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return text_of(event->message.registered);
    default:
      return 0;
  }
}

void mark_event(const nvtxEventAttributes_t* event) { capture::mark_instant(thread_state, 0, text_of_event(event)); }
void mark_ascii(const char* name) { capture::mark_instant(thread_state, 0, text_table.number_of(name)); }
void mark_wide(const wchar_t* name) { capture::mark_instant(thread_state, 0, text_table.number_of(name)); }
nvtxRangeId_t start_event(const nvtxEventAttributes_t* event) {
  return capture::start_range(thread_state, 0, text_of_event(event));
}
nvtxRangeId_t start_ascii(const char* name) {
  return capture::start_range(thread_state, 0, text_table.number_of(name));
}
nvtxRangeId_t start_wide(const wchar_t* name) {
  return capture::start_range(thread_state, 0, text_table.number_of(name));
}
void end(nvtxRangeId_t id) { capture::end_range(thread_state, id); }
int push_event(const nvtxEventAttributes_t* event) {
  return capture::push_range(thread_state, 0, text_of_event(event));
}
int push_ascii(const char* name) { return capture::push_range(thread_state, 0, text_table.number_of(name)); }
int push_wide(const wchar_t* name) { return capture::push_range(thread_state, 0, text_table.number_of(name)); }
int pop() { return capture::pop_range(thread_state, 0); }

void domain_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  capture::mark_instant(thread_state, text_of(domain), text_of_event(event));
}
nvtxRangeId_t domain_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return capture::start_range(thread_state, text_of(domain), text_of_event(event));
}
void domain_end(nvtxDomainHandle_t, nvtxRangeId_t id) { capture::end_range(thread_state, id); }
int domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return capture::push_range(thread_state, text_of(domain), text_of_event(event));
}
int domain_pop(nvtxDomainHandle_t domain) { return capture::pop_range(thread_state, text_of(domain)); }
nvtxStringHandle_t register_ascii(nvtxDomainHandle_t, const char* text) {
  return handle_of<nvtxStringHandle_t>(text_table.number_of(text));
}
nvtxStringHandle_t register_wide(nvtxDomainHandle_t, const wchar_t* text) {
  return handle_of<nvtxStringHandle_t>(text_table.number_of(text));
}
nvtxDomainHandle_t create_ascii(const char* name) { return handle_of<nvtxDomainHandle_t>(text_table.number_of(name)); }
nvtxDomainHandle_t create_wide(const wchar_t* name) {
  return handle_of<nvtxDomainHandle_t>(text_table.number_of(name));
}

struct Entry {
  unsigned id;
  NvtxFunctionPointer function;
};

template <class Function>
Entry entry(unsigned id, Function function) {
  return {id, reinterpret_cast<NvtxFunctionPointer>(function)};
}

template <size_t kCount>
void install(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module, const Entry (&entries)[kCount]) {
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (!callbacks.GetModuleFunctionTable(module, &table, &size) || table == nullptr) return;
  for (const Entry& entry : entries)
    if (entry.id < size && table[entry.id] != nullptr) *table[entry.id] = entry.function;
}

}  // namespace
}  // namespace tauprof::hooks

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  using namespace tauprof::hooks;
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr || callbacks->struct_size < sizeof *callbacks) return 0;
  const Entry core[] = {
      entry(NVTX_CBID_CORE_MarkEx, mark_event),
      entry(NVTX_CBID_CORE_MarkA, mark_ascii),
      entry(NVTX_CBID_CORE_MarkW, mark_wide),
      entry(NVTX_CBID_CORE_RangeStartEx, start_event),
      entry(NVTX_CBID_CORE_RangeStartA, start_ascii),
      entry(NVTX_CBID_CORE_RangeStartW, start_wide),
      entry(NVTX_CBID_CORE_RangeEnd, end),
      entry(NVTX_CBID_CORE_RangePushEx, push_event),
      entry(NVTX_CBID_CORE_RangePushA, push_ascii),
      entry(NVTX_CBID_CORE_RangePushW, push_wide),
      entry(NVTX_CBID_CORE_RangePop, pop),
  };
  const Entry domains[] = {
      entry(NVTX_CBID_CORE2_DomainMarkEx, domain_mark),
      entry(NVTX_CBID_CORE2_DomainRangeStartEx, domain_start),
      entry(NVTX_CBID_CORE2_DomainRangeEnd, domain_end),
      entry(NVTX_CBID_CORE2_DomainRangePushEx, domain_push),
      entry(NVTX_CBID_CORE2_DomainRangePop, domain_pop),
      entry(NVTX_CBID_CORE2_DomainRegisterStringA, register_ascii),
      entry(NVTX_CBID_CORE2_DomainRegisterStringW, register_wide),
      entry(NVTX_CBID_CORE2_DomainCreateA, create_ascii),
      entry(NVTX_CBID_CORE2_DomainCreateW, create_wide),
  };
  install(*callbacks, NVTX_CB_MODULE_CORE, core);
  install(*callbacks, NVTX_CB_MODULE_CORE2, domains);
  return 1;
}
