// Appends the operations of a step program.
#include "program_builder.h"

namespace tauprof::generator {
namespace {

std::string_view copy_name(log::CopyKind kind) {
  return kind == log::CopyKind::kHostToDevice ? "Memcpy HtoD (Pinned -> Device)" : "Memcpy DtoH (Device -> Pinned)";
}

}  // namespace

HostOp& ProgramBuilder::add(Action action) {
  HostOp& op = program_.emplace_back();
  op.action = action;
  op.phase = phases_.back();
  return op;
}

void ProgramBuilder::sleep(int64_t ns) {
  if (ns > 0) add(Action::kSleep).ns = ns;
}

void ProgramBuilder::pause(int64_t ns) {
  if (ns > 0) add(Action::kPause).ns = ns;
}

void ProgramBuilder::allocate(int64_t ns) {
  if (ns > 0) add(Action::kAllocate).ns = ns;
}

void ProgramBuilder::switch_thread(Thread thread) { add(Action::kSwitchThread).thread = thread; }

void ProgramBuilder::push_step() { add(Action::kPushRange).is_step_marker = true; }

void ProgramBuilder::pop_step() { add(Action::kPopRange); }

void ProgramBuilder::push(std::string_view name, Phase phase) {
  phases_.push_back(phase);
  if (!has_phase_ranges_) return;
  HostOp& op = add(Action::kPushRange);
  op.name = name;
  op.has_phase = true;
}

void ProgramBuilder::pop() {
  phases_.pop_back();
  if (has_phase_ranges_) add(Action::kPopRange);
}

void ProgramBuilder::kernel(std::string_view name, Stream stream, int64_t ns) {
  HostOp& op = add(Action::kKernel);
  op.name = name;
  op.stream = stream;
  op.ns = ns;
}

void ProgramBuilder::fused_kernel(int64_t ns) {
  HostOp& op = add(Action::kFusedKernel);
  op.name = "tensorrt_llm::kernels::ar_fusion::allreduce_fusion_kernel_oneshot_lamport";
  op.ns = ns;
}

void ProgramBuilder::gemm(LayerProduct product, int64_t ns) {
  HostOp& op = add(Action::kGemm);
  op.name = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x3_nn";
  op.product = product;
  op.ns = ns;
}

void ProgramBuilder::graph(int64_t ns) {
  HostOp& op = add(Action::kGraph);
  op.name = "graph";
  op.ns = ns;
}

HostOp& ProgramBuilder::add_copy(Action action, log::CopyKind kind, Stream stream, int64_t bytes, int64_t ns) {
  HostOp& op = add(action);
  op.name = copy_name(kind);
  op.copy_kind = kind;
  op.stream = stream;
  op.bytes = bytes;
  op.ns = ns;
  return op;
}

void ProgramBuilder::memset(int64_t bytes, int64_t ns) {
  HostOp& op = add(Action::kMemset);
  op.name = "Memset (Device)";
  op.bytes = bytes;
  op.ns = ns;
}

void ProgramBuilder::orphan_memset(int64_t bytes, int64_t ns) {
  memset(bytes, ns);
  program_.back().action = Action::kOrphan;
}

void ProgramBuilder::copy(log::CopyKind kind, Stream stream, int64_t bytes, int64_t ns) {
  add_copy(Action::kCopy, kind, stream, bytes, ns);
}

void ProgramBuilder::blocking_copy(int64_t bytes, int64_t ns) {
  add_copy(Action::kBlockingCopy, log::CopyKind::kDeviceToHost, kComputeStream, bytes, ns);
}

void ProgramBuilder::order(Stream before, Stream stream) {
  ++events_;
  HostOp& record = add(Action::kEventRecord);
  record.stream = before;
  record.event = events_;
  HostOp& wait = add(Action::kStreamWait);
  wait.stream = stream;
  wait.event = events_;
}

void ProgramBuilder::collective(log::Operation operation, CommunicatorRole role, Stream stream, log::DataType datatype,
                                int64_t bytes, int peer) {
  HostOp& op = add(Action::kCollective);
  op.operation = operation;
  op.role = role;
  op.stream = stream;
  op.datatype = datatype;
  op.bytes = bytes;
  op.peer = peer;
}

void ProgramBuilder::group(Grouping grouping, int calls) {
  program_.back().grouping = grouping;
  program_.back().calls = calls;
}

}  // namespace tauprof::generator
