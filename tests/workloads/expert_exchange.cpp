// See expert_exchange.h.
#include "expert_exchange.h"

#include <algorithm>
#include <numeric>

#include "checks.h"
#include "kernels/embedding.h"

namespace training {
namespace {

std::vector<int> rows_of_experts(int tokens, int experts, double imbalance) {
  const double share = tokens / (imbalance + experts - 1);
  std::vector<int> rows(experts, static_cast<int>(share));
  rows.back() = 0;
  if (experts > 1) rows.front() = std::min(tokens, static_cast<int>(share * imbalance));
  rows.back() += tokens - std::accumulate(rows.begin(), rows.end(), 0);
  return rows;
}

// Each expert's tokens are far apart, as after a real router.
std::vector<std::int32_t> interleaved(int tokens) {
  constexpr int kStride = 8;
  std::vector<std::int32_t> order;
  for (int first = 0; first < kStride; ++first) {
    for (int token = first; token < tokens; token += kStride) order.push_back(token);
  }
  return order;
}

}  // namespace

ExpertExchange::ExpertExchange(Machine& machine) : machine_(machine) {
  const Communicator& data = *machine.groups.data;
  rows_of_expert_ = rows_of_experts(machine.tokens(), data.size(), machine.options.expert_imbalance);
  rows_from_rank_.assign(data.size(), rows_of_expert_[data.rank()]);
  rows_here_ = rows_from_rank_[0] * data.size();
  const std::vector<std::int32_t> order = interleaved(machine.tokens());
  const std::size_t bytes = order.size() * sizeof order[0];
  check(cudaMalloc(reinterpret_cast<void**>(&order_), bytes), "cudaMalloc");
  check(cudaMemcpy(order_, order.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}

ExpertExchange::~ExpertExchange() { check(cudaFree(order_), "cudaFree"); }

Buffer ExpertExchange::dispatch(const Buffer& tokens) {
  const int width = machine_.options.hidden;
  const Buffer sorted = machine_.scratch.take(static_cast<std::size_t>(machine_.tokens()) * width);
  gather_rows(sorted.elements(), tokens.elements(), order_, machine_.tokens(), width, machine_.compute);
  Buffer received = machine_.scratch.take(static_cast<std::size_t>(rows_here_) * width);
  exchange(received.elements(), rows_from_rank_, sorted.elements(), rows_of_expert_);
  return received;
}

Buffer ExpertExchange::combine(const Buffer& rows) {
  const int width = machine_.options.hidden;
  const Buffer sorted = machine_.scratch.take(static_cast<std::size_t>(machine_.tokens()) * width);
  exchange(sorted.elements(), rows_of_expert_, rows.elements(), rows_from_rank_);
  Buffer tokens = machine_.scratch.take(static_cast<std::size_t>(machine_.tokens()) * width);
  scatter_rows(tokens.elements(), sorted.elements(), order_, machine_.tokens(), width, machine_.compute);
  return tokens;
}

void ExpertExchange::exchange(Element* received, const std::vector<int>& receive_rows, const Element* sent,
                              const std::vector<int>& send_rows) {
  Communicator& data = *machine_.groups.data;
  const std::size_t width = machine_.options.hidden;
  if (data.size() == 1) {
    const std::size_t bytes = receive_rows[0] * width * sizeof(Element);
    check(cudaMemcpyAsync(received, sent, bytes, cudaMemcpyDeviceToDevice, machine_.compute), "cudaMemcpyAsync");
    return;
  }
  const cudaStream_t stream = data.begin();
  check(ncclGroupStart(), "ncclGroupStart");
  for (int peer = 0; peer < data.size(); ++peer) {
    const std::size_t send_count = send_rows[peer] * width, receive_count = receive_rows[peer] * width;
    check(ncclSend(sent, send_count, ncclBfloat16, peer, data.get(), stream), "ncclSend");
    check(ncclRecv(received, receive_count, ncclBfloat16, peer, data.get(), stream), "ncclRecv");
    sent += send_count;
    received += receive_count;
  }
  check(ncclGroupEnd(), "ncclGroupEnd");
  data.join();
}

}  // namespace training
