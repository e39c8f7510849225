// See rendezvous.h.
#include "rendezvous.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "checks.h"

namespace training {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);
constexpr auto kPause = std::chrono::milliseconds(20);

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  ~Socket() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

void hand_out(const ncclUniqueId& id, const RankPlacement& placement) {
  const Socket listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const timeval patience{kPatience.count(), 0};
  setsockopt(listener.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(placement.port));
  if (bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener.get(), placement.ranks) != 0) {
    fail("cannot listen at port " + std::to_string(placement.port));
  }
  for (int others = placement.ranks - 1; others > 0; --others) {
    const Socket peer(accept(listener.get(), nullptr, nullptr));
    if (peer.get() < 0) fail("not all ranks came to the rendezvous");
    if (send(peer.get(), &id, sizeof id, MSG_NOSIGNAL) != sizeof id) fail("a rank left the rendezvous");
  }
}

bool try_to_ask(const addrinfo& address, ncclUniqueId& id) {
  const Socket peer(socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return connect(peer.get(), address.ai_addr, address.ai_addrlen) == 0 &&
         recv(peer.get(), &id, sizeof id, MSG_WAITALL) == sizeof id;
}

ncclUniqueId ask(const RankPlacement& placement) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(placement.master_address.c_str(), std::to_string(placement.port).c_str(), &hints, &found) != 0) {
    fail("cannot resolve " + placement.master_address);
  }
  ncclUniqueId id;
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (!try_to_ask(*found, id)) {
    if (std::chrono::steady_clock::now() > give_up) fail("rank 0 does not answer at " + placement.master_address);
    std::this_thread::sleep_for(kPause);
  }
  freeaddrinfo(found);
  return id;
}

}  // namespace

ncclUniqueId share_unique_id(const RankPlacement& placement) {
  if (placement.rank != 0) return ask(placement);
  ncclUniqueId id;
  check(ncclGetUniqueId(&id), "ncclGetUniqueId");
  hand_out(id, placement);
  return id;
}

}  // namespace training
