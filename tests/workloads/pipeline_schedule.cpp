// See pipeline_schedule.h.
#include "pipeline_schedule.h"

#include <algorithm>

#include "checks.h"

namespace training {
namespace {

enum class Neighbour : int { Previous = -1, Next = 1 };

class Links {
 public:
  explicit Links(Machine& machine)
      : machine_(machine),
        group_(*machine.groups.pipeline),
        count_(static_cast<std::size_t>(machine.tokens()) * machine.options.hidden) {}

  // The first stage has no stage before it, the last one none after it.
  void send(Neighbour to, const Buffer& buffer) { exchange(to, &buffer, nullptr); }

  Buffer receive(Neighbour from) {
    Buffer received;
    exchange(from, nullptr, &received);
    return received;
  }

  Buffer swap(Neighbour with, const Buffer& buffer) {
    Buffer received;
    exchange(with, &buffer, &received);
    return received;
  }

 private:
  void exchange(Neighbour with, const Buffer* sent, Buffer* received) {
    const int peer = group_.rank() + static_cast<int>(with);
    if (peer < 0 || peer >= group_.size()) return;
    if (received != nullptr) *received = machine_.scratch.take(count_);
    const cudaStream_t stream = group_.begin();
    check(ncclGroupStart(), "ncclGroupStart");
    if (sent != nullptr) {
      check(ncclSend(sent->elements(), count_, ncclBfloat16, peer, group_.get(), stream), "ncclSend");
    }
    if (received != nullptr) {
      check(ncclRecv(received->elements(), count_, ncclBfloat16, peer, group_.get(), stream), "ncclRecv");
    }
    check(ncclGroupEnd(), "ncclGroupEnd");
    group_.join();
    if (machine_.options.wait_for_messages) check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  Machine& machine_;
  Communicator& group_;
  std::size_t count_;
};

}  // namespace

void run_one_forward_one_backward(Machine& machine, int micro_batches, const StageWork& work) {
  Links links(machine);
  const Communicator& group = *machine.groups.pipeline;
  const int ahead = std::min(group.size() - 1 - group.rank(), micro_batches);
  const int alternating = micro_batches - ahead;
  for (int i = 0; i < ahead; ++i) {
    const Buffer out = work.forward(i, links.receive(Neighbour::Previous));
    links.send(Neighbour::Next, out);
  }
  Buffer in;
  if (alternating > 0) in = links.receive(Neighbour::Previous);
  for (int i = 0; i < alternating; ++i) {
    const Buffer out = work.forward(ahead + i, std::move(in));
    const Buffer in_gradient = work.backward(i, links.swap(Neighbour::Next, out));
    if (i + 1 < alternating) {
      in = links.swap(Neighbour::Previous, in_gradient);
    } else {
      links.send(Neighbour::Previous, in_gradient);
    }
  }
  for (int i = alternating; i < micro_batches; ++i) {
    const Buffer in_gradient = work.backward(i, links.receive(Neighbour::Next));
    links.send(Neighbour::Previous, in_gradient);
  }
}

void run_forward_only(Machine& machine, int micro_batches, const StageWork& work) {
  Links links(machine);
  for (int i = 0; i < micro_batches; ++i) {
    const Buffer out = work.forward(i, links.receive(Neighbour::Previous));
    links.send(Neighbour::Next, out);
  }
}

}  // namespace training
