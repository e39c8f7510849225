#include "import/thread_table.h"

#include <algorithm>

#include "import/decimal.h"
#include "import/json_text.h"

namespace tauprof::kineto {
namespace {

constexpr size_t kMaxNames = 1u << 20;

// "thread 4711 (pt_autograd_0)" → "pt_autograd_0"; other names stay as they are.
std::string_view short_name(std::string_view name) {
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  const size_t open = name.find(" (");
  if (!name.starts_with("thread ") || open == std::string_view::npos || name.back() != ')') return name;
  return name.substr(open + 2, name.size() - open - 3);
}

std::string without_quotes(const std::string& token) {
  return token.size() >= 2 && token.front() == '"' ? unescape(token.substr(1, token.size() - 2)) : token;
}

}  // namespace

int64_t ThreadTable::number(std::string_view pid, std::string_view tid) {
  for (size_t index : recent_)
    if (index < threads_.size() && threads_[index].tid == tid && threads_[index].pid == pid)
      return static_cast<int64_t>(index) + 1;
  Key key{std::string(pid), std::string(tid)};
  auto found = numbers_.find(key);
  if (found == numbers_.end()) {
    if (threads_.size() == kMaxThreads) return -1;
    found = numbers_.emplace(key, static_cast<int64_t>(threads_.size())).first;
    threads_.push_back(std::move(key));
  }
  recent_[next_recent_++ % std::size(recent_)] = static_cast<size_t>(found->second);
  return found->second + 1;
}

void ThreadTable::set_name(std::string_view pid, std::string_view tid, std::string_view raw_name) {
  if (names_.size() < kMaxNames) names_[{std::string(pid), std::string(tid)}] = unescape(raw_name);
}

uint32_t ThreadTable::process_id() const {
  std::map<int64_t, size_t> threads_of;
  for (const Key& key : threads_)
    if (const int64_t pid = integer(key.pid).value_or(0); pid > 0 && pid <= UINT32_MAX) ++threads_of[pid];
  const auto most = std::max_element(threads_of.begin(), threads_of.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == threads_of.end() ? 0 : static_cast<uint32_t>(most->first);
}

void ThreadTable::write(log::Writer& writer, NameCache& names) const {
  for (size_t i = 0; i < threads_.size(); ++i) {
    const Key& key = threads_[i];
    const auto named = names_.find(key);
    const std::string name = named != names_.end() ? std::string(short_name(named->second)) : without_quotes(key.tid);
    log::Thread thread;
    thread.thread = static_cast<int64_t>(i) + 1;
    thread.os_id = integer(key.tid).value_or(0);
    thread.is_main = thread.os_id > 0 && integer(key.pid) == thread.os_id;
    if (named != names_.end() || thread.os_id == 0) thread.name = names.plain_id(name);
    writer.append(thread);
  }
}

}  // namespace tauprof::kineto
