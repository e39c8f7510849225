// Measures all-reduces of growing size as nccl-tests does: time, algorithm bandwidth, bus bandwidth. From all sizes it
// fits the latency α of a step and the bandwidth β of a ring, by least squares over
//
//   time = 2 (n − 1) · α + 2 (n − 1) / n · bytes / β
//
// weighted with 1 / time², so that every size counts equally. Each rank is a process that starts before the first CUDA
// call. Rank 0 sends its ncclUniqueId to the others through a pipe.
//
// The operations of a size are queued behind a long one. When that one ends, all processes have queued theirs, so a
// late process does not affect the measurement. The best of several rounds counts.
//
//   all_reduce_benchmark [ranks [largest bytes [rounds]]]
#include <cuda_runtime.h>
#include <nccl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                           \
  do {                                                                        \
    const int status = static_cast<int>(call);                                \
    if (status != 0) {                                                        \
      std::fprintf(stderr, "%s:%d: status %d\n", __FILE__, __LINE__, status); \
      std::exit(1);                                                           \
    }                                                                         \
  } while (0)

namespace {

constexpr size_t kSmallest = 8;
constexpr size_t kLeadBytes = 256 << 20;
constexpr int kOperations = 20;

struct Arguments {
  int ranks = 2;
  size_t largest = size_t{1} << 30;
  int rounds = 3;
};

struct Rank {
  int number, count;
  ncclComm_t communicator;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  float* buffer;
};

struct Measurement {
  double bytes, seconds;
};

ncclUniqueId share_id(int rank, int ranks, int read_end, int write_end) {
  ncclUniqueId id;
  if (rank == 0) {
    CHECK(ncclGetUniqueId(&id));
    for (int other = 1; other < ranks; ++other) CHECK(write(write_end, &id, sizeof id) != sizeof id);
  } else {
    CHECK(read(read_end, &id, sizeof id) != sizeof id);
  }
  return id;
}

void reduce(const Rank& rank, size_t bytes) {
  const size_t count = std::max<size_t>(bytes / sizeof(float), 1);
  CHECK(ncclAllReduce(rank.buffer, rank.buffer, count, ncclFloat, ncclSum, rank.communicator, rank.stream));
}

double seconds_per_operation(const Rank& rank, size_t bytes, size_t lead_bytes, int rounds) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    reduce(rank, lead_bytes);
    reduce(rank, bytes);
    CHECK(cudaEventRecord(rank.begin, rank.stream));
    for (int i = 0; i < kOperations; ++i) reduce(rank, bytes);
    CHECK(cudaEventRecord(rank.end, rank.stream));
    CHECK(cudaStreamSynchronize(rank.stream));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, rank.begin, rank.end));
    best = std::min(best, milliseconds * 1e-3 / kOperations);
  }
  return best;
}

void print_line(const Measurement& of, int ranks) {
  const double algorithm_bandwidth = of.bytes / of.seconds * 1e-9;
  std::printf("%12.0f %12.2f %10.3f %10.3f\n", of.bytes, of.seconds * 1e6, algorithm_bandwidth,
              algorithm_bandwidth * 2 * (ranks - 1) / ranks);
}

// Fits time = a + b · bytes.
void print_fit(const std::vector<Measurement>& measurements, int ranks) {
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  for (const auto& point : measurements) {
    const double weight = 1 / (point.seconds * point.seconds);
    w += weight;
    wx += weight * point.bytes;
    wy += weight * point.seconds;
    wxx += weight * point.bytes * point.bytes;
    wxy += weight * point.bytes * point.seconds;
  }
  const double b = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  const double a = (wy - b * wx) / w;
  std::printf("alpha_us %.4f\nbeta_gb_per_s %.4f\n", a / (2 * (ranks - 1)) * 1e6, 2.0 * (ranks - 1) / ranks / b * 1e-9);
}

int run_rank(int number, const Arguments& arguments, int read_end, int write_end) {
  Rank rank{number, arguments.ranks, nullptr, nullptr, nullptr, nullptr, nullptr};
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  CHECK(cudaSetDevice(number % devices));
  const ncclUniqueId id = share_id(number, arguments.ranks, read_end, write_end);
  CHECK(ncclCommInitRank(&rank.communicator, arguments.ranks, id, number));
  CHECK(cudaStreamCreateWithFlags(&rank.stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&rank.begin));
  CHECK(cudaEventCreate(&rank.end));
  const size_t lead_bytes = std::min(kLeadBytes, arguments.largest);
  CHECK(cudaMalloc(&rank.buffer, std::max(arguments.largest, kSmallest)));

  if (number == 0) std::printf("%12s %12s %10s %10s\n", "bytes", "time_us", "algbw_GB/s", "busbw_GB/s");
  std::vector<Measurement> measurements;
  for (size_t bytes = kSmallest; bytes <= arguments.largest; bytes *= 2) {
    const double seconds = seconds_per_operation(rank, bytes, lead_bytes, arguments.rounds);
    measurements.push_back({static_cast<double>(bytes), seconds});
    if (number == 0) print_line(measurements.back(), arguments.ranks);
  }
  if (number == 0) print_fit(measurements, arguments.ranks);

  CHECK(cudaFree(rank.buffer));
  CHECK(cudaEventDestroy(rank.begin));
  CHECK(cudaEventDestroy(rank.end));
  CHECK(cudaStreamDestroy(rank.stream));
  CHECK(ncclCommDestroy(rank.communicator));
  return 0;
}

int start_ranks(char** argv, const Arguments& arguments) {
  int ends[2];
  CHECK(pipe(ends));
  for (int rank = 0; rank < arguments.ranks; ++rank) {
    if (fork() != 0) continue;
    const std::string words[] = {std::to_string(arguments.ranks),  std::to_string(arguments.largest),
                                 std::to_string(arguments.rounds), std::to_string(rank),
                                 std::to_string(ends[0]),          std::to_string(ends[1])};
    execl("/proc/self/exe", argv[0], words[0].c_str(), words[1].c_str(), words[2].c_str(), words[3].c_str(),
          words[4].c_str(), words[5].c_str(), nullptr);
    std::_Exit(127);
  }
  int failed = 0, status = 0;
  while (wait(&status) > 0) failed |= status != 0;
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (argc > 1) arguments.ranks = std::atoi(argv[1]);
  if (argc > 2) arguments.largest = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) arguments.rounds = std::atoi(argv[3]);
  if (arguments.ranks < 2) {
    std::fprintf(stderr, "usage: %s [ranks (2 or more) [largest bytes [rounds]]]\n", argv[0]);
    return 2;
  }
  if (argc > 6) return run_rank(std::atoi(argv[4]), arguments, std::atoi(argv[5]), std::atoi(argv[6]));
  return start_ranks(argv, arguments);
}
