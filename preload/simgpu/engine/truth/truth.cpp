#include "simgpu/engine/truth.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <unordered_map>

#include "simgpu/engine/call.h"
#include "simgpu/engine/calls/fork.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/truth/truth_file.h"
#include "simgpu/engine/truth/truth_line.h"

namespace simgpu {
namespace {

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

// The file and what it depends on. Every function needs the lock.
class Truth {
 public:
  void open();
  void close();
  bool is_open() const { return file_.is_open(); }
  std::uint64_t name_id(const char* name);
  void write(TruthLine& line);
  // Kept until the first use of a device, if any.
  void keep_until_open(TruthLine& line);

 private:
  MappedAppendFile file_;
  bool tried_ = false;
  std::string early_;
  std::unordered_map<const char*, std::uint64_t> names_;
};

void complain(const std::string& where) {
  std::fprintf(stderr, "simgpu: no truth is written any more: %s: %s\n", where.c_str(), std::strerror(errno));
}

void close_at_exit();

void Truth::open() {
  if (tried_) return;
  tried_ = true;
  const std::string& directory = config().truth_directory;
  if (directory.empty()) return;
  std::error_code ignored;  // opening the file will tell
  std::filesystem::create_directories(directory, ignored);
  const std::string path = directory + "/truth-" + std::to_string(getpid()) + ".tsv";
  if (!file_.create(path)) return complain(path);
  std::atexit(close_at_exit);
  TruthLine first("simgpu-truth");
  write(first.add(1));
  TruthLine process("process");
  write(process.add(getpid()).add(config().launcher_rank.value_or(-1)).add(host_name()).add(simulation_start()));
  if (file_.is_open() && !file_.append(early_)) complain(path);
  early_ = std::string();
}

void Truth::close() {
  if (!is_open()) return;
  TruthLine end("end");
  write(end.add(host_now()));
  file_.close();
}

std::uint64_t Truth::name_id(const char* name) {
  const auto [found, is_new] = names_.try_emplace(name, names_.size() + 1);
  if (is_new) {
    TruthLine line("name");
    write(line.add(found->second).add(std::string_view(name)));
  }
  return found->second;
}

void Truth::write(TruthLine& line) {
  if (is_open() && !file_.append(line.finish())) complain("the file cannot grow");
}

void Truth::keep_until_open(TruthLine& line) {
  constexpr std::size_t kMostEarly = 1 << 20;
  if (!tried_ && early_.size() < kMostEarly) early_.append(line.finish());
}

std::mutex& truth_lock() {
  static std::mutex lock;
  return lock;
}

Truth& truth() {
  static Truth& only = *new Truth;
  return only;
}

void close_at_exit() {
  if (is_forked_child()) return;
  const std::lock_guard guard(truth_lock());
  truth().close();
}

bool wants_truth() { return !is_forked_child() && !config().truth_directory.empty(); }

const char* kind_text(SpanKind kind) {
  switch (kind) {
    case SpanKind::Kernel:
      return "kernel";
    case SpanKind::Collective:
      return "collective";
    case SpanKind::Memcpy:
      return "memcpy";
    case SpanKind::Memset:
      return "memset";
    case SpanKind::Graph:
      return "graph";
    case SpanKind::None:
      break;
  }
  return "none";
}

constexpr const char* kDirections[] = {"HostToDevice", "DeviceToHost", "DeviceToDevice", "HostToHost", "PeerToPeer"};
constexpr const char* kMemoryKinds[] = {"Pageable", "Pinned", "Device", "Managed"};

void append_triple(TruthLine& line, const std::uint32_t (&triple)[3]) {
  line.append_number(triple[0]).append_text(",").append_number(triple[1]).append_text(",").append_number(triple[2]);
}

void add_detail(TruthLine& line, const SpanDescription& what) {
  line.begin_field();
  switch (what.kind) {
    case SpanKind::Kernel:
    case SpanKind::Collective:
      append_triple(line, what.shape.grid);
      line.append_text("/");
      append_triple(line, what.shape.block);
      break;
    case SpanKind::Memcpy:
      line.append_text(kDirections[static_cast<int>(what.direction)]).append_text(":");
      line.append_text(kMemoryKinds[static_cast<int>(what.source)]).append_text(":");
      line.append_text(kMemoryKinds[static_cast<int>(what.destination)]).append_text(":");
      line.append_number(what.peer_device);
      break;
    case SpanKind::Memset:
      line.append_number(static_cast<int>(what.set_value));
      break;
    default:
      line.append_text("-");
  }
}

}  // namespace

void open_truth() {
  if (!wants_truth()) return;
  const std::lock_guard guard(truth_lock());
  truth().open();
}

void write_truth(const Span& span) {
  if (!wants_truth()) return;
  const SpanDescription& what = span.what;
  const std::lock_guard guard(truth_lock());
  if (!truth().is_open()) return;
  const std::uint64_t name = truth().name_id(what.name);
  const std::uint64_t function = truth().name_id(what.call.function);
  TruthLine line("span");
  line.add(span.id).add(kind_text(what.kind)).add(name).add(what.device).add(what.context).add(what.stream);
  line.add(what.correlation).add(what.call.thread).add(function).add(what.call.nth);
  line.add(span.submitted).add(span.start).add(span.end).add(span.device_start).add(span.device_end).add(what.bytes);
  add_detail(line, what);
  truth().write(line.add(what.graph).add(what.graph_node));
}

void write_truth(const CollectiveTruth& collective) {
  if (!wants_truth()) return;
  const std::lock_guard guard(truth_lock());
  if (!truth().is_open()) return;
  const std::uint64_t communicator = truth().name_id(collective.communicator);
  const std::uint64_t function = truth().name_id(collective.call.function);
  TruthLine line("collective");
  line.add(collective.span).add(communicator).add(collective.rank).add(collective.ranks).add(collective.sequence);
  line.add(std::string_view(collective.operation)).add(collective.peer).add(collective.bytes);
  line.add(collective.arrival).add(collective.ready).add(collective.end);
  truth().write(line.add(collective.call.thread).add(function).add(collective.call.nth));
}

void write_injection(std::string_view what, int device, Nanoseconds start, Nanoseconds end) {
  if (!wants_truth()) return;
  const std::lock_guard guard(truth_lock());
  TruthLine line("inject");
  truth().write(line.add(what).add(device).add(start).add(end));
}

void write_announcement(std::string_view what, std::int64_t index, bool is_start) {
  if (simulation_has_started() && !wants_truth()) return;
  TruthLine line("announce");
  line.add(what).add(index).add(is_start ? "begin" : "end").add(this_thread()).add(host_now());
  const std::lock_guard guard(truth_lock());
  if (truth().is_open()) {
    truth().write(line);
  } else {
    truth().keep_until_open(line);
  }
}

}  // namespace simgpu
