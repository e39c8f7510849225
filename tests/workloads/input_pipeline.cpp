// See input_pipeline.h.
#include "input_pipeline.h"

#include <algorithm>

#include "checks.h"
#include "markers.h"

namespace training {

InputPipeline::InputPipeline(Machine& machine, int device)
    : machine_(machine),
      shape_{machine.tokens(), machine.options.hidden},
      loader_(machine.options, shape_, machine.placement.rank, machine.groups.data->rank(), device) {
  if (machine.options.copy_stream == "own") {
    check(cudaStreamCreateWithFlags(&own_stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    copy_stream_ = own_stream_;
  } else if (machine.options.copy_stream == "compute") {
    copy_stream_ = machine.compute;
  }
  slots_.resize(std::max(2, machine.options.pipeline + 1));  // micro-batches in flight, and the next
  for (Slot& slot : slots_) {
    check(cudaMalloc(reinterpret_cast<void**>(&slot.memory), shape_.bytes()), "cudaMalloc");
    for (cudaEvent_t* event : {&slot.copied, &slot.used}) {
      check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
  }
}

InputPipeline::~InputPipeline() {
  if (own_stream_ != nullptr) check(cudaStreamDestroy(own_stream_), "cudaStreamDestroy");
  for (const Slot& slot : slots_) {
    check(cudaFree(slot.memory), "cudaFree");
    for (cudaEvent_t event : {slot.copied, slot.used}) check(cudaEventDestroy(event), "cudaEventDestroy");
  }
}

DeviceBatch InputPipeline::next() {
  const int number = static_cast<int>(next_slot_++ % slots_.size());
  Slot& slot = slots_[number];
  const void* loaded = nullptr;
  {
    const PhaseScope phase(Phase::Data);
    loaded = loader_.next();
  }
  const PhaseScope phase(Phase::HostToDevice);
  copy(loaded, slot);
  const auto* tokens = reinterpret_cast<const std::int32_t*>(slot.memory + shape_.feature_bytes());
  return {{tokens, tokens + shape_.tokens, reinterpret_cast<const Element*>(slot.memory)}, number};
}

void InputPipeline::copy(const void* from, Slot& slot) {
  check(cudaStreamWaitEvent(copy_stream_, slot.used, 0), "cudaStreamWaitEvent");
  check(cudaMemcpyAsync(slot.memory, from, shape_.bytes(), cudaMemcpyHostToDevice, copy_stream_), "cudaMemcpyAsync");
  loader_.copied(copy_stream_);
  check(cudaEventRecord(slot.copied, copy_stream_), "cudaEventRecord");
  check(cudaStreamWaitEvent(machine_.compute, slot.copied, 0), "cudaStreamWaitEvent");
}

void InputPipeline::done(const DeviceBatch& batch) {
  check(cudaEventRecord(slots_[batch.slot].used, machine_.compute), "cudaEventRecord");
}

}  // namespace training
