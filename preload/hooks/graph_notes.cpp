// Notes the sizes of matrix multiplications that succeed while a graph is being captured.
#include "hooks/graph_facts.h"

namespace tauprof::hooks {

const void* capture_site = nullptr;

void note_captured_call(const ThreadState&, uint16_t function, const capture::CallFacts& facts,
                        const capture::Unit* extension) {
  if (capture::kHookInfos[function].record != capture::HookRecord::kGemm || extension == nullptr) return;
  void* const stream = capture::stream_meant(reinterpret_cast<void*>(facts.stream), capture::function_name(function));
  const uint32_t mark = capture::graph_captures.with_number(capture_number(stream, capture_site));
  if (mark != 0) capture::graph_contents.add_gemm(mark, function, facts.payload, extension->shape);
}

}  // namespace tauprof::hooks
