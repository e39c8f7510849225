// See batch_loader.h.
#include "batch_loader.h"

#include <pthread.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>

#include "checks.h"
#include "kernels/element.h"

namespace training {
namespace {

constexpr unsigned char kFeatureByte = 0x3c;  // twice this byte is 0.0115 as a bfloat16

}  // namespace

std::size_t BatchShape::feature_bytes() const { return sizeof(Element) * tokens * static_cast<std::size_t>(hidden); }

BatchLoader::BatchLoader(const Options& options, BatchShape shape, int rank, int seed, int device)
    : options_(options), shape_(shape), rank_(rank), seed_(seed), slots_(options.prefetch) {
  std::int64_t index = 0;
  for (Slot& slot : slots_) {
    slot.index = index++;
    if (options.pageable) {
      slot.memory = static_cast<std::byte*>(std::malloc(shape.bytes()));
    } else {
      check(cudaHostAlloc(reinterpret_cast<void**>(&slot.memory), shape.bytes(), cudaHostAllocDefault),
            "cudaHostAlloc");
    }
    std::memset(slot.memory, kFeatureByte, shape.feature_bytes());
    check(cudaEventCreateWithFlags(&slot.copied, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  }
  if (options.loader_on_main_thread) return;
  for (int first = 0; first < options.loader_workers; ++first) {
    threads_.emplace_back([this, first, device] { serve(first, device); });
    pthread_setname_np(threads_.back().native_handle(), "loader");
  }
}

BatchLoader::~BatchLoader() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  for (Slot& slot : slots_) {
    check(cudaEventDestroy(slot.copied), "cudaEventDestroy");
    if (options_.pageable) {
      std::free(slot.memory);
    } else {
      check(cudaFreeHost(slot.memory), "cudaFreeHost");
    }
  }
}

const void* BatchLoader::next() {
  Slot& slot = slot_of(taken_);
  if (options_.loader_on_main_thread) {
    load(slot, taken_);
  } else {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return slot.state == State::Filled; });
  }
  return slot.memory;
}

void BatchLoader::copied(cudaStream_t stream) {
  Slot& slot = slot_of(taken_++);
  check(cudaEventRecord(slot.copied, stream), "cudaEventRecord");
  {
    const std::lock_guard lock(mutex_);
    slot.state = State::Copying;
    slot.index += static_cast<std::int64_t>(slots_.size());
  }
  changed_.notify_all();
}

// Each worker loads one micro-batch of as many as there are workers.
void BatchLoader::serve(int first, int device) {
  check(cudaSetDevice(device), "cudaSetDevice");
  for (std::int64_t index = first;; index += options_.loader_workers) {
    Slot& slot = slot_of(index);
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_over_ || (slot.index == index && slot.state != State::Filled); });
      if (is_over_) return;
    }
    load(slot, index);
    {
      const std::lock_guard lock(mutex_);
      slot.state = State::Filled;
    }
    changed_.notify_all();
  }
}

void BatchLoader::load(Slot& slot, std::int64_t index) {
  if (slot.state == State::Copying) check(cudaEventSynchronize(slot.copied), "cudaEventSynchronize");
  const bool is_spike = (index + 1) % options_.loader_spike_every == 0;
  double ms = options_.loader_ms + (is_spike ? options_.loader_spike_ms : 0);
  if (index % options_.micro_batches == 0)
    ms += value_for(options_.data_stall, rank_, static_cast<int>(index / options_.micro_batches));
  if (ms > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
  std::minstd_rand random(static_cast<unsigned>(index * 1009 + seed_ + 1));
  auto* const tokens = reinterpret_cast<std::int32_t*>(slot.memory + shape_.feature_bytes());
  for (int i = 0; i < shape_.tokens; ++i) {
    tokens[i] = static_cast<std::int32_t>(random() % static_cast<unsigned>(options_.vocabulary));
    tokens[shape_.tokens + i] = (tokens[i] * 7 + 3) % options_.vocabulary;  // the pattern to learn
  }
}

}  // namespace training
