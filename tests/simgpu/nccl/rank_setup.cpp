// Ranks share ids through files.
#include "rank_setup.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

bool has_devices(int count) {
  int available = 0;
  return cudaGetDeviceCount(&available) == cudaSuccess && available >= count;
}

ncclUniqueId shared_id(const RankPlace& place, const std::string& name) {
  ncclUniqueId id{};
  const std::string path = place.folder + "/" + name;
  if (place.rank == 0) {
    EXPECT_NCCL(ncclGetUniqueId(&id));
    std::ofstream(path + ".new", std::ios::binary).write(id.internal, sizeof(id.internal));
    std::rename((path + ".new").c_str(), path.c_str());
    return id;
  }
  place.await(name);
  std::ifstream(path, std::ios::binary).read(id.internal, sizeof(id.internal));
  return id;
}

World::World(const RankPlace& rank_place) : place(rank_place) {
  EXPECT_CUDA(cudaSetDevice(place.rank));
  EXPECT_NCCL(ncclCommInitRank(&comm, place.ranks, shared_id(place), place.rank));
  EXPECT_CUDA(cudaStreamCreate(&stream));
}

World::~World() {
  if (comm) {
    EXPECT_NCCL(ncclCommDestroy(comm));
  }
  EXPECT_CUDA(cudaStreamDestroy(stream));
}

void World::abort() {
  EXPECT_NCCL(ncclCommAbort(comm));
  comm = nullptr;
}

Buffer::Buffer(const std::vector<float>& values) : count_(values.size()) {
  EXPECT_CUDA(cudaMalloc(reinterpret_cast<void**>(&data), count_ * sizeof(float)));
  EXPECT_CUDA(cudaMemcpy(data, values.data(), count_ * sizeof(float), cudaMemcpyHostToDevice));
}

Buffer::~Buffer() { EXPECT_CUDA(cudaFree(data)); }

std::vector<float> Buffer::read() const {
  std::vector<float> values(count_);
  EXPECT_CUDA(cudaMemcpy(values.data(), data, count_ * sizeof(float), cudaMemcpyDeviceToHost));
  return values;
}

bool becomes_idle(cudaStream_t stream, int milliseconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (std::chrono::steady_clock::now() < until) {
    if (cudaStreamQuery(stream) == cudaSuccess) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}
