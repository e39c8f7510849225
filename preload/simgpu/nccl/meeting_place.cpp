// Layout: header, members, rendezvous for collectives, rendezvous for the pairs, stored data (sparse).
#include "simgpu/nccl/meeting_place.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/operation.h"

namespace simgpu::nccl {

struct MeetingPlace::Header {
  std::atomic<std::uint32_t> is_ready;
  std::atomic<std::uint32_t> joined;
  int ranks;
  TransferSettings settings;
};

namespace {

constexpr const char* kPrefix = "simgpu-nccl-";
constexpr int kCollectiveDepth = 64;
constexpr int kPairDepth = 16;
constexpr std::size_t kAlignment = 4096;
constexpr long kSweepAgeSeconds = 60;  // a younger one may not have a member yet
constexpr useconds_t kCreatorPause = 200;

std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

struct Layout {
  std::size_t members, collectives, pairs, pair_bytes, storage, total;
};

Layout layout_for(std::size_t header_bytes, int ranks) {
  const auto count = static_cast<std::size_t>(ranks);
  Layout layout{};
  layout.members = aligned(header_bytes);
  layout.collectives = layout.members + aligned(count * sizeof(Member));
  layout.pairs = layout.collectives + aligned(Rendezvous::bytes_needed(ranks, kCollectiveDepth));
  layout.pair_bytes = Rendezvous::bytes_needed(2, kPairDepth);
  layout.storage = layout.pairs + aligned(count * count * layout.pair_bytes);
  layout.total = layout.storage + (count * kCollectiveDepth + count * count * kPairDepth) * kBufferedBytes;
  return layout;
}

std::string file_name(std::uint64_t communicator) {
  char name[64];
  std::snprintf(name, sizeof(name), "/%s%016lx", kPrefix, static_cast<unsigned long>(communicator));
  return name;
}

// posix_fallocate, because a write to a page would kill the program if the file system is full.
bool make_room(int file, const Layout& layout) {
  return ftruncate(file, static_cast<off_t>(layout.total)) == 0 &&
         posix_fallocate(file, 0, static_cast<off_t>(layout.storage)) == 0;
}

bool wait_for_size(int file, std::size_t* bytes) {
  struct stat status {};
  while (fstat(file, &status) == 0) {
    *bytes = static_cast<std::size_t>(status.st_size);
    if (*bytes > 0) return true;
    if (status.st_nlink == 0) return false;
    usleep(kCreatorPause);
  }
  return false;
}

}  // namespace

MeetingPlace::MeetingPlace(int file, void* memory, std::size_t bytes, std::string name, int ranks)
    : file_(file),
      memory_(static_cast<char*>(memory)),
      bytes_(bytes),
      name_(std::move(name)),
      ranks_(ranks),
      header_(static_cast<Header*>(memory)) {}

MeetingPlace::~MeetingPlace() {
  munmap(memory_, bytes_);
  close(file_);
}

ncclResult_t MeetingPlace::open(std::uint64_t communicator, int ranks, std::shared_ptr<MeetingPlace>* out) {
  const std::string name = file_name(communicator);
  const Layout layout = layout_for(sizeof(Header), ranks);
  int file = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool is_first = file >= 0;
  if (!is_first && errno == EEXIST) file = shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return ncclSystemError;
  std::size_t bytes = layout.total;
  const bool is_sized = is_first ? make_room(file, layout) : wait_for_size(file, &bytes) && bytes == layout.total;
  void* memory =
      is_sized ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0) : MAP_FAILED;
  if (memory == MAP_FAILED) {
    if (is_first) shm_unlink(name.c_str());
    close(file);
    return is_sized || is_first ? ncclSystemError : ncclInvalidUsage;
  }
  out->reset(new MeetingPlace(file, memory, bytes, name, ranks));
  if (is_first) (*out)->prepare();
  while (!(*out)->header_->is_ready.load()) usleep(kCreatorPause);
  (*out)->lay_out();
  return ncclSuccess;
}

void MeetingPlace::prepare() {
  header_->ranks = ranks_;
  header_->settings = configured_settings();
  header_->is_ready.store(1);
}

ncclResult_t MeetingPlace::enter(std::uint64_t communicator, int rank, int ranks, int device,
                                 std::shared_ptr<MeetingPlace>* out) {
  std::shared_ptr<MeetingPlace> place;
  const ncclResult_t opened = open(communicator, ranks, &place);
  if (opened != ncclSuccess) return opened;
  // The other ranks are not our parents. Without this they could not read our data where the kernel restricts ptrace.
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  Member& self = place->members_[rank];
  auto expected = MemberState::Absent;
  if (!self.state.compare_exchange_strong(expected, MemberState::Joining)) return ncclInvalidUsage;
  self.process = this_process();
  self.host = host_identity();
  self.physical_device = physical_device(device);
  self.link_factor = config().injection(device).link_factor;
  std::snprintf(self.doorbell, sizeof(self.doorbell), "%s", doorbell_name());
  self.state.store(MemberState::Joined);
  place->header_->joined.fetch_add(1);
  *out = std::move(place);
  return ncclSuccess;
}

void MeetingPlace::lay_out() {
  const Layout layout = layout_for(sizeof(Header), ranks_);
  members_ = reinterpret_cast<Member*>(memory_ + layout.members);
  collectives_ = Rendezvous(memory_ + layout.collectives, ranks_, kCollectiveDepth);
  for (int i = 0; i < ranks_ * ranks_; ++i) {
    pairs_.emplace_back(memory_ + layout.pairs + i * layout.pair_bytes, 2, kPairDepth);
  }
  storage_offset_ = layout.storage;
}

bool MeetingPlace::is_complete() const { return header_->joined.load() == static_cast<std::uint32_t>(ranks_); }

void MeetingPlace::close_entrance() { shm_unlink(name_.c_str()); }

const TransferSettings& MeetingPlace::settings() const { return header_->settings; }

void* MeetingPlace::stored(std::size_t index) {
  const std::size_t offset = storage_offset_ + index * kBufferedBytes;
  const bool has_room = posix_fallocate(file_, static_cast<off_t>(offset), kBufferedBytes) == 0;
  return has_room ? memory_ + offset : nullptr;
}

void* MeetingPlace::stored_collective(int rank, std::uint64_t number) {
  return stored(number % kCollectiveDepth * ranks_ + rank);
}

void* MeetingPlace::stored_send(int sender, int receiver, std::uint64_t number) {
  const auto pair = static_cast<std::size_t>(sender) * ranks_ + receiver;
  return stored(static_cast<std::size_t>(ranks_) * kCollectiveDepth + pair * kPairDepth + number % kPairDepth);
}

void MeetingPlace::ring(int rank) const { ring_doorbell(members_[rank].doorbell); }

void MeetingPlace::ring_all() const {
  for (int rank = 0; rank < ranks_; ++rank) {
    const auto same_process = [&](int other) { return members_[other].process.pid == members_[rank].process.pid; };
    bool is_rung = false;
    for (int other = 0; other < rank && !is_rung; ++other) is_rung = same_process(other);
    if (!is_rung) ring(rank);
  }
}

int MeetingPlace::lost_member(int self) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank == self) continue;
    const MemberState state = members_[rank].state.load();
    if (state == MemberState::Aborted) return rank;
    if (state == MemberState::Joined && !is_alive(members_[rank].process)) return rank;
  }
  return -1;
}

// All members that came are gone, and the file is old enough for the first to have come.
bool MeetingPlace::is_left_behind(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0 || time(nullptr) - status.st_ctime < kSweepAgeSeconds) return false;
  const auto bytes = static_cast<std::size_t>(status.st_size);
  if (bytes < aligned(sizeof(Header))) return true;
  void* memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (memory == MAP_FAILED) return false;
  const int ranks = static_cast<Header*>(memory)->ranks;
  const Layout layout = layout_for(sizeof(Header), ranks);
  const auto* members = reinterpret_cast<const Member*>(static_cast<char*>(memory) + layout.members);
  bool has_life = false;
  for (int rank = 0; rank < ranks && bytes == layout.total && !has_life; ++rank) {
    has_life = members[rank].state.load() == MemberState::Joined && is_alive(members[rank].process);
  }
  munmap(memory, bytes);
  return !has_life;
}

void MeetingPlace::sweep() {
  DIR* folder = opendir("/dev/shm");
  if (!folder) return;
  while (const dirent* entry = readdir(folder)) {
    if (std::strncmp(entry->d_name, kPrefix, std::strlen(kPrefix)) != 0) continue;
    const std::string name = std::string("/") + entry->d_name;
    const int file = shm_open(name.c_str(), O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) continue;
    if (is_left_behind(file)) shm_unlink(name.c_str());
    close(file);
  }
  closedir(folder);
}

}  // namespace simgpu::nccl
