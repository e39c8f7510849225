// Parts that the tests' bodies share: a communicator of all ranks, a stream, buffers, and a wait with a time limit.
#pragma once

#include <gtest/gtest.h>
#include <nccl.h>

#include <string>
#include <vector>

#include "rank_processes.h"

#define EXPECT_NCCL(call) EXPECT_EQ(call, ncclSuccess) << ncclGetLastError(nullptr)
#define EXPECT_CUDA(call) EXPECT_EQ(call, cudaSuccess)

bool has_devices(int count);

// Rank 0 creates the id; every rank gets the same one.
ncclUniqueId shared_id(const RankPlace& place, const std::string& name = "id");

// A communicator of all ranks, and a stream. Each rank uses the device with its number.
class World {
 public:
  explicit World(const RankPlace& rank_place);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void abort();
  void synchronize() const { EXPECT_CUDA(cudaStreamSynchronize(stream)); }

  const RankPlace& place;
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;
};

// Floats on the device.
class Buffer {
 public:
  explicit Buffer(const std::vector<float>& values);
  explicit Buffer(std::size_t count) : Buffer(std::vector<float>(count)) {}
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::vector<float> read() const;
  float* data = nullptr;

 private:
  std::size_t count_;
};

// Waits at most `milliseconds`; returns whether the stream has become idle.
bool becomes_idle(cudaStream_t stream, int milliseconds);
