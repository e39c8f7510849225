// A part posts, waits, decides, exchanges data and leaves. The engine calls all of this with its lock held.
#include "simgpu/nccl/progress.h"

#include <algorithm>

#include "simgpu/engine/config.h"
#include "simgpu/engine/injection_window.h"
#include "simgpu/engine/truth.h"
#include "simgpu/nccl/hashing.h"
#include "simgpu/nccl/kernel_events.h"

namespace simgpu::nccl {
namespace {

std::uint64_t take_number(Communicator& communicator, const Message& message) {
  if (message.function == Function::Send) return communicator.next_send(message.peer);
  if (message.function == Function::Recv) return communicator.next_receive(message.peer);
  return communicator.next_collective();
}

Seat find_seat(Communicator& communicator, const Message& message) {
  const int rank = communicator.rank;
  MeetingPlace& place = *communicator.place;
  if (message.function == Function::Send) return {&place.pair(rank, message.peer), 0, {rank, message.peer}};
  if (message.function == Function::Recv) return {&place.pair(message.peer, rank), 1, {message.peer, rank}};
  Seat seat{&place.collectives(), rank, {}};
  for (int other = 0; other < communicator.ranks; ++other) seat.ranks.push_back(other);
  return seat;
}

std::uint64_t hash_of(const Communicator& communicator, const Seat& seat, std::uint64_t number, bool is_pair) {
  std::uint64_t hash = communicator.number;
  if (is_pair) hash = combined(combined(hash, seat.ranks[0] + 1), seat.ranks[1] + 1);
  return combined(hash, number);
}

}  // namespace

Part::Part(CommunicatorRef communicator, const Message& message, unsigned sharing)
    : communicator_(std::move(communicator)),
      message_(message),
      number_(take_number(*communicator_, message)),
      seat_(find_seat(*communicator_, message)),
      sharing_(sharing),
      hash_(hash_of(*communicator_, seat_, number_, is_point_to_point(message.function))),
      is_early_(ends_early(message_, communicator_->rank, communicator_->ranks)),
      data_(communicator_, message, number_) {}

void Part::arrive(Nanoseconds at) {
  arrival_ = at;
  advance();
}

void Part::advance() {
  if (!has_arrived() || end_ || is_stuck_) return;
  if (!is_posted_ && !post()) return;
  if (!decided_end_) {
    const auto facts = gather_facts();
    if (!facts) return;
    if (!facts->do_match) {
      is_stuck_ = true;
      return;
    }
    decide(*facts);
  }
  if (!data_.advance(seat_)) return;
  end_ = decided_end_;
  leave();
}

// False: the others must free the slot first.
bool Part::post() {
  if (!seat_.rendezvous->may_post(seat_.self, number_)) return false;
  Post& post = seat_.rendezvous->post_of(seat_.self, number_);
  post.arrival = arrival_;
  post.signature = signature(message_);
  post.sharing = sharing_;
  post.is_busy = any_kernel_running(communicator_->device);
  const Injection& injection = config().injection(communicator_->device);
  post.link_factor = injection.link_factor;
  for (const Window& window : injection.slow_links)
    if (open_until(window, arrival_)) post.link_factor *= window.factor;
  data_.offer(seat_, post);
  seat_.rendezvous->publish(seat_.self, number_);
  is_posted_ = true;
  tell_arrival();
  return true;
}

void Part::tell_arrival() const {
  const MeetingPlace& place = *communicator_->place;
  if (is_point_to_point(message_.function)) return place.ring(message_.peer);
  const bool is_from = is_from_root(message_.function);
  const bool is_root = communicator_->rank == message_.peer;
  if ((is_from && is_root) || seat_.rendezvous->all_arrived(number_)) place.ring_all();
}

bool Part::needs(int participant) const {
  if (participant == seat_.self) return true;
  if (is_early_) return false;
  const bool only_receives = is_from_root(message_.function) && communicator_->rank != message_.peer;
  return !only_receives || participant == message_.peer;
}

std::optional<Part::Facts> Part::gather_facts() const {
  Facts facts{0, {}, true};
  const Post& own = seat_.rendezvous->post_of(seat_.self, number_);
  int needed = 0, busy = 0;
  facts.conditions.slowest = slowest_link();
  for (int i = 0; i < seat_.rendezvous->participants(); ++i) {
    if (!needs(i)) continue;
    const Post* post = seat_.rendezvous->find(i, number_);
    if (!post) return std::nullopt;
    facts.ready = std::max(facts.ready, post->arrival);
    facts.do_match = facts.do_match && post->signature == own.signature;
    facts.conditions.sharing = std::max<double>(facts.conditions.sharing, post->sharing);
    facts.conditions.slowest = std::max(facts.conditions.slowest, post->link_factor);
    busy += post->is_busy;
    ++needed;
  }
  facts.conditions.busy = static_cast<double>(busy) / needed;
  facts.conditions.hash = hash_;
  return facts;
}

double Part::slowest_link() const {
  double slowest = 0;
  for (const int rank : seat_.ranks) slowest = std::max(slowest, communicator_->place->member(rank).link_factor);
  return slowest;
}

void Part::decide(const Facts& facts) {
  const TransferSettings& settings = communicator_->place->settings();
  const int rank = communicator_->rank, ranks = communicator_->ranks;
  const Nanoseconds duration = is_early_
                                   ? buffering_duration(settings, sent_bytes(message_, rank, ranks), facts.conditions)
                                   : transfer_duration(settings, message_, ranks, facts.conditions);
  ready_ = facts.ready;
  decided_end_ = ready_ + duration + scatter_of_rank(settings, hash_, rank);
}

void Part::leave() {
  const bool is_send = message_.function == Function::Send;
  const bool is_receive = message_.function == Function::Recv;
  const std::uint64_t finished = is_send      ? communicator_->finish_send(message_.peer, number_)
                                 : is_receive ? communicator_->finish_receive(message_.peer, number_)
                                              : communicator_->finish_collective(number_);
  seat_.rendezvous->finish_below(seat_.self, finished);
  for (int i = 0; i < seat_.rendezvous->participants(); ++i) {
    if (i != seat_.self && seat_.rendezvous->wants_room(i)) communicator_->place->ring(seat_.ranks[i]);
  }
}

void Part::write(std::uint64_t span) const {
  CollectiveTruth truth;
  truth.span = span;
  truth.communicator = communicator_->name;
  truth.rank = communicator_->rank;
  truth.ranks = communicator_->ranks;
  truth.sequence = number_;
  truth.operation = function_name(message_.function);
  truth.peer = message_.peer;
  truth.bytes = counted_bytes(message_, communicator_->ranks);
  truth.arrival = arrival_;
  truth.ready = ready_;
  truth.end = *end_;
  truth.call = message_.call;
  write_truth(truth);
}

void Part::profile() const {
  if (message_.task) profile_kernel(*communicator_, message_.task, {arrival_, ready_, *end_});
}

KernelProgress::KernelProgress(CommunicatorRef communicator, const std::vector<Message>& messages)
    : communicator_(std::move(communicator)) {
  const auto count_of = [&](Function function) {
    return static_cast<unsigned>(
        std::count_if(messages.begin(), messages.end(), [&](const Message& m) { return m.function == function; }));
  };
  const unsigned sends = count_of(Function::Send), receives = count_of(Function::Recv);
  for (const Message& message : messages) {
    const bool is_pair = is_point_to_point(message.function);
    const unsigned sharing = !is_pair ? 1 : message.function == Function::Send ? sends : receives;
    (is_pair ? pairs_ : collectives_).emplace_back(communicator_, message, sharing);
  }
}

void KernelProgress::started(Nanoseconds start, std::uint64_t span) {
  start_ = start;
  span_ = span;
  for (Part& part : pairs_) part.arrive(start);
  if (!collectives_.empty()) collectives_.front().arrive(start);
}

std::optional<Nanoseconds> KernelProgress::end() {
  if (const Nanoseconds stopped = communicator_->stopped_at.load()) return std::max(stopped, start_);
  bool is_over = true;
  Nanoseconds last = start_;
  for (Part& part : pairs_) {
    part.advance();
    is_over = is_over && part.end();
    if (part.end()) last = std::max(last, *part.end());
  }
  Nanoseconds reached = start_;
  for (Part& part : collectives_) {
    if (!part.has_arrived()) part.arrive(reached);
    part.advance();
    if (!part.end()) return std::nullopt;
    reached = *part.end();
  }
  return is_over ? std::optional(std::max(last, reached)) : std::nullopt;
}

// A stopped operation has no end on which the ranks agree.
void KernelProgress::finished(std::optional<Nanoseconds> end) {
  const Nanoseconds until = end.value_or(0);
  for (const auto* parts : {&pairs_, &collectives_}) {
    for (const Part& part : *parts) {
      if (part.end() && *part.end() <= until) part.write(span_);
    }
  }
  const bool is_alone = pairs_.empty() && collectives_.size() == 1;
  if (is_alone && end && collectives_.front().end()) collectives_.front().profile();
}

}  // namespace simgpu::nccl
