// The progress of an NCCL kernel's parts, from this rank's arrival to their ends.
//
// A group's calls on one communicator are one kernel. Its sends and receives run concurrently and share the link. Its
// collectives run one after another; each arrives when the previous one has ended on this rank. The kernel ends when
// all are over. Calls that do not match (another function, count, type or root at the same position of the sequence)
// never end.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "simgpu/engine/operation.h"
#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/data_exchange.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// One call.
class Part {
 public:
  Part(CommunicatorRef communicator, const Message& message, unsigned sharing);

  void arrive(Nanoseconds at);
  // Does what is possible now.
  void advance();
  bool has_arrived() const { return arrival_ > 0; }
  std::optional<Nanoseconds> end() const { return end_; }
  void write(std::uint64_t span) const;
  // Tells a profiler plugin when the kernel that this is all of worked and waited.
  void profile() const;

 private:
  bool post();
  void tell_arrival() const;
  // The arrivals that decide this rank's end; nullopt: not all are known.
  struct Facts {
    Nanoseconds ready;
    Conditions conditions;
    bool do_match;
  };
  std::optional<Facts> gather_facts() const;
  bool needs(int participant) const;
  double slowest_link() const;
  void decide(const Facts& facts);
  void leave();

  CommunicatorRef communicator_;
  Message message_;
  std::uint64_t number_;
  Seat seat_;
  unsigned sharing_;
  std::uint64_t hash_;
  bool is_early_;
  DataExchange data_;
  Nanoseconds arrival_ = 0;
  Nanoseconds ready_ = 0;
  bool is_posted_ = false;
  bool is_stuck_ = false;
  std::optional<Nanoseconds> decided_end_;
  std::optional<Nanoseconds> end_;
};

class KernelProgress : public ExternalProgress {
 public:
  KernelProgress(CommunicatorRef communicator, const std::vector<Message>& messages);
  void started(Nanoseconds start, std::uint64_t span) override;
  std::optional<Nanoseconds> end() override;
  void finished(std::optional<Nanoseconds> end) override;

 private:
  CommunicatorRef communicator_;
  std::vector<Part> pairs_;
  std::vector<Part> collectives_;
  Nanoseconds start_ = 0;
  std::uint64_t span_ = 0;
};

}  // namespace simgpu::nccl
