// Which computation each message between pipeline stages belongs to, and which messages are one.
//
// A trace names no peers. A stage sends one message after each of its passes in one direction and receives one before
// each, in the order of the passes, so messages match passes by counting. Two kinds of message carry nothing and are
// *no-ops*: those recorded before the first pass or after the last one, and those that would lead out of the model (the
// first chunk receives no activations). The messages that are left match those of the neighbouring stage, again by
// counting: the third activation that stage 0 sends is the third that stage 1 receives.
//
// Example: two stages of two chunks each, one micro-batch. Stage 0 receives twice, before chunk 0 (a no-op, since
// chunk 0 is the model's first) and before chunk 2, from stage 1. That is its first real message, and matches the
// first that stage 1 sends.
#pragma once

#include <optional>
#include <vector>

#include "operations/operation_grid.h"

namespace tauprof {

struct Message {
  uint32_t operation = 0;
  std::optional<size_t> pass;  // the sequence of its computation; none: it belongs to none
  bool is_no_op = false;
};

// Sends or receives of activations or gradients.
struct MessageKind {
  OperationType type;
  OperationType pass;  // the pass whose result it sends, or whose input it receives
  bool is_send;
  int32_t peer;  // +1: the next stage, -1: the one before
};
inline constexpr MessageKind kMessageKinds[] = {
    {OperationType::kForwardSend, OperationType::kForwardCompute, true, 1},
    {OperationType::kForwardReceive, OperationType::kForwardCompute, false, -1},
    {OperationType::kBackwardSend, OperationType::kBackwardCompute, true, -1},
    {OperationType::kBackwardReceive, OperationType::kBackwardCompute, false, 1},
};

// The messages of one kind of a stage, in order. Fails where counting cannot be right.
Status match_passes(const OperationGrid& grid, const MessageKind& kind, int32_t stage, std::vector<Message>& messages);

// Gathers the messages of all stages, and pairs them.
class MessagePairs {
 public:
  explicit MessagePairs(const OperationGrid& grid) : grid_(grid) {}

  void add(const MessageKind& kind, int32_t stage, const std::vector<Message>& messages);
  // The two ends of each message. Fails if one has no other end.
  Status take(std::vector<std::vector<uint32_t>>& pairs) const;

 private:
  struct Channel {
    int32_t sender = 0;
    bool is_forward = false;
    auto operator<=>(const Channel&) const = default;
  };
  const OperationGrid& grid_;
  std::map<Channel, std::vector<uint32_t>> sent_, received_;
};

}  // namespace tauprof
