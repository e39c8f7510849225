#include "operations/message_match.h"

#include <algorithm>
#include <limits>

#include "limits/analysis_limits.h"
#include "operations/operation_order.h"

namespace tauprof {
namespace {

// Whether a message was recorded while the stage still had passes to receive for, or had some to send the result of.
class PassTimes {
 public:
  PassTimes(const OperationGrid& grid, const MessageKind& kind, int32_t stage) : grid_(grid), kind_(kind) {
    for (size_t pass = 0; pass < grid.count(kind.pass, stage); ++pass) {
      const GridOperation& operation = grid.operations()[*grid.find(kind.pass, stage, pass)];
      last_start_s_ = std::max(last_start_s_, operation.start_s);
      first_end_s_ = std::min(first_end_s_, operation.end_s);
    }
  }
  bool takes_part(uint32_t message) const {
    const GridOperation& operation = grid_.operations()[message];
    return kind_.is_send ? operation.end_s >= first_end_s_ - kMessageTolerance
                         : operation.start_s <= last_start_s_ + kMessageTolerance;
  }

 private:
  const OperationGrid& grid_;
  const MessageKind& kind_;
  double last_start_s_ = std::numeric_limits<double>::lowest();
  double first_end_s_ = std::numeric_limits<double>::max();
};

std::string stage_name(int32_t stage) { return "stage " + std::to_string(stage); }

// The first pass that has a message. Only the ends of the pipeline may have none, or one less than passes.
Status first_pass(const OperationGrid& grid, const MessageKind& kind, int32_t stage, size_t messages, size_t& pass) {
  const size_t passes = grid.count(kind.pass, stage);
  pass = 0;
  if (messages == passes) return Status::ok();
  const bool is_end = stage == 0 || stage == grid.stages() - 1;
  const bool lacks_one = messages + 1 == passes;
  if (!is_end || (messages != 0 && !lacks_one))
    return Status::error(stage_name(stage) + ": " + std::to_string(messages) + " " + std::string(name_of(kind.type)) +
                         " for " + std::to_string(passes) + " " + std::string(name_of(kind.pass)) +
                         ": rows of messages are missing or too many; export all of them");
  if (!kind.is_send && lacks_one) pass = 1;
  return Status::ok();
}

}  // namespace

Status match_passes(const OperationGrid& grid, const MessageKind& kind, int32_t stage, std::vector<Message>& messages) {
  const std::vector<uint32_t> operations = in_order(grid, stage, {kind.type});
  const PassTimes times(grid, kind, stage);
  const auto takes_part = [&](uint32_t operation) { return times.takes_part(operation); };
  const auto count = static_cast<size_t>(std::count_if(operations.begin(), operations.end(), takes_part));
  size_t pass;
  if (Status status = first_pass(grid, kind, stage, count, pass); !status.is_ok()) return status;
  const int32_t model_chunks = grid.chunks() * grid.stages();
  for (const uint32_t operation : operations) {
    Message& message = messages.emplace_back(Message{operation, std::nullopt, true});
    if (!takes_part(operation)) continue;
    const int32_t peer = grid.operations()[*grid.find(kind.pass, stage, pass)].model_chunk + kind.peer;
    message.is_no_op = peer < 0 || peer >= model_chunks;
    message.pass = pass++;
  }
  return Status::ok();
}

void MessagePairs::add(const MessageKind& kind, int32_t stage, const std::vector<Message>& messages) {
  const int32_t stages = grid_.stages();
  const int32_t peer = (stage + kind.peer + stages) % stages;
  const Channel channel{kind.is_send ? stage : peer, kind.pass == OperationType::kForwardCompute};
  for (const Message& message : messages)
    if (!message.is_no_op) (kind.is_send ? sent_ : received_)[channel].push_back(message.operation);
}

Status MessagePairs::take(std::vector<std::vector<uint32_t>>& pairs) const {
  const std::vector<uint32_t> none;
  const auto messages_of = [&](const auto& ends, const Channel& channel) -> const std::vector<uint32_t>& {
    const auto found = ends.find(channel);
    return found == ends.end() ? none : found->second;
  };
  std::map<Channel, std::vector<uint32_t>> channels = sent_;
  channels.insert(received_.begin(), received_.end());
  for (const auto& [channel, ignored] : channels) {
    const std::vector<uint32_t>&sends = messages_of(sent_, channel), &receives = messages_of(received_, channel);
    const size_t paired = std::min(sends.size(), receives.size());
    if (sends.size() != receives.size()) {
      const uint32_t single = sends.size() > paired ? sends[paired] : receives[paired];
      return Status::error(grid_.describe(single) + " has no other end: the neighbouring stage has only " +
                           std::to_string(paired) + " such messages; export the rows of all messages");
    }
    for (size_t i = 0; i < paired; ++i) pairs.push_back({sends[i], receives[i]});
  }
  return Status::ok();
}

}  // namespace tauprof
