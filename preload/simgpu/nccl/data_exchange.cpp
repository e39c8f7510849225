// Reads with process_vm_readv, even from this process, so that a bad address is an error and not a crash.
#include "simgpu/nccl/data_exchange.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "simgpu/engine/memory.h"
#include "simgpu/nccl/reduction.h"
#include "simgpu/nccl/transfer_time.h"

namespace simgpu::nccl {
namespace {

bool read_memory(int pid, std::uint64_t address, void* out, std::size_t bytes) {
  iovec local{out, bytes};
  iovec remote{reinterpret_cast<void*>(address), bytes};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

double scale_of(const Message& message) {
  if (!message.scale_address) return message.scale;
  std::vector<char> bytes(type_bytes(message.type));
  const auto address = reinterpret_cast<std::uint64_t>(message.scale_address);
  return read_memory(getpid(), address, bytes.data(), bytes.size()) ? scalar_value(bytes.data(), message.type) : 1;
}

}  // namespace

DataExchange::DataExchange(CommunicatorRef communicator, const Message& message, std::uint64_t number)
    : communicator_(std::move(communicator)), message_(message), number_(number) {}

bool DataExchange::moves() const {
  const std::uint64_t bytes = counted_bytes(message_, communicator_->ranks);
  return bytes > 0 && bytes <= communicator_->place->settings().data_bytes;
}

bool DataExchange::gives_to(const Seat& seat, int participant) const {
  if (is_point_to_point(message_.function)) return message_.function == Function::Send && participant != seat.self;
  const bool is_root = communicator_->rank == message_.peer;
  if (is_from_root(message_.function)) return is_root && participant != seat.self;
  if (is_to_root(message_.function)) return !is_root && participant == message_.peer;
  return participant != seat.self;
}

bool DataExchange::takes_from(const Seat& seat, int participant) const {
  if (is_point_to_point(message_.function)) return message_.function == Function::Recv && participant != seat.self;
  const bool is_root = communicator_->rank == message_.peer;
  if (is_from_root(message_.function)) return participant == message_.peer;
  if (is_to_root(message_.function)) return is_root;
  return true;
}

void* DataExchange::storage(const Seat& seat, int participant) const {
  MeetingPlace& place = *communicator_->place;
  if (is_point_to_point(message_.function)) return place.stored_send(seat.ranks[0], seat.ranks[1], number_);
  return place.stored_collective(seat.ranks[participant], number_);
}

void DataExchange::offer(const Seat& seat, Post& post) const {
  const int rank = communicator_->rank;
  post.send_buffer = reinterpret_cast<std::uint64_t>(message_.send_buffer);
  post.scale = scale_of(message_);
  post.is_stored = 0;
  const std::uint64_t bytes = sent_bytes(message_, rank, communicator_->ranks);
  if (!moves() || !ends_early(message_, rank, communicator_->ranks)) return;
  void* stored = storage(seat, seat.self);
  const int pid = communicator_->place->member(rank).process.pid;
  post.is_stored = stored && read_memory(pid, post.send_buffer, stored, bytes);
}

bool DataExchange::advance(const Seat& seat) {
  if (!moves()) return true;
  Rendezvous& rendezvous = *seat.rendezvous;
  if (!is_taken_) {
    take(seat);
    is_taken_ = true;
    rendezvous.post_of(seat.self, number_).taken.store(number_ + 1);
    tell_taken(seat);
  }
  if (!ends_early(message_, communicator_->rank, communicator_->ranks) && !is_given(seat)) return false;
  place_result();
  return true;
}

bool DataExchange::is_given(const Seat& seat) const {
  for (int i = 0; i < seat.rendezvous->participants(); ++i) {
    if (gives_to(seat, i) && seat.rendezvous->post_of(i, number_).taken.load() != number_ + 1) return false;
  }
  return true;
}

// If all ranks read all data, no rank can continue before the last one has read.
void DataExchange::tell_taken(const Seat& seat) const {
  MeetingPlace& place = *communicator_->place;
  const bool is_all_pairs = !is_point_to_point(message_.function) && !is_rooted(message_.function);
  if (is_all_pairs) {
    if (is_given(seat)) place.ring_all();
    return;
  }
  for (int i = 0; i < seat.rendezvous->participants(); ++i) {
    const bool waits = takes_from(seat, i) && !seat.rendezvous->post_of(i, number_).is_stored;
    if (waits && i != seat.self) place.ring(seat.ranks[i]);
  }
}

void DataExchange::take(const Seat& seat) {
  const int rank = communicator_->rank;
  const std::uint64_t block = block_bytes(message_);
  const Function function = message_.function;
  const bool cuts =
      function == Function::ReduceScatter || function == Function::AlltoAll || function == Function::Scatter;
  const auto reduction = make_reduction(message_.reduction, message_.type, communicator_->ranks);
  std::vector<char> read(block);
  is_whole_ = true;
  for (int i = 0; i < seat.rendezvous->participants(); ++i) {
    if (!takes_from(seat, i)) continue;
    is_whole_ = is_whole_ && read_block(seat, i, cuts ? rank * block : 0, &read);
    if (reduces(function)) {
      reduction->add(read, seat.rendezvous->post_of(i, number_).scale);
    } else {
      result_.insert(result_.end(), read.begin(), read.end());
    }
  }
  if (reduces(function)) result_ = reduction->result();
}

bool DataExchange::read_block(const Seat& seat, int participant, std::uint64_t offset, std::vector<char>* out) const {
  const Post& post = seat.rendezvous->post_of(participant, number_);
  if (post.is_stored) {
    const auto* stored = static_cast<const char*>(storage(seat, participant));
    if (!stored) return false;
    std::memcpy(out->data(), stored + offset, out->size());
    return true;
  }
  const int pid = communicator_->place->member(seat.ranks[participant]).process.pid;
  return read_memory(pid, post.send_buffer + offset, out->data(), out->size());
}

void DataExchange::place_result() const {
  if (is_whole_ && !result_.empty()) move_bytes(message_.receive_buffer, result_.data(), result_.size());
}

}  // namespace simgpu::nccl
