#include "import/operations/job_description.h"

#include <string_view>

#include "import/byte_source.h"

namespace tauprof {
namespace {

constexpr size_t kMostBytes = 1u << 20;  // a description has some hundred
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t start = text.find_first_not_of(kBlanks);
  return start == text.npos ? "" : text.substr(start, text.find_last_not_of(kBlanks) - start + 1);
}

// Without quotes and a comment behind it.
std::string_view value_of(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && (text.front() == '"' || text.front() == '\'')) {
    const size_t end = text.find(text.front(), 1);
    return end == text.npos ? text : text.substr(1, end - 1);
  }
  if (text.starts_with('#')) return {};
  return trimmed(text.substr(0, text.find(" #")));
}

void read_line(std::string_view line, std::map<std::string, std::string>& job) {
  const size_t colon = line.find(':');
  if (line.empty() || colon == line.npos || kBlanks.find(line.front()) != kBlanks.npos || line.front() == '#') return;
  const std::string_view key = trimmed(line.substr(0, colon)), value = value_of(line.substr(colon + 1));
  if (!key.empty() && !value.empty()) job.insert_or_assign(std::string(key), std::string(value));
}

}  // namespace

Status read_job_description(const std::string& path, std::map<std::string, std::string>& job) {
  std::unique_ptr<kineto::ByteSource> source;
  if (Status status = kineto::ByteSource::open(path, source); !status.is_ok())
    return Status::error(path + ": " + status.message() +
                         "; an operation trace needs the description of its job there");
  std::string text(kMostBytes, '\0');
  size_t size = 0;
  while (const size_t got = source->read(text.data() + size, text.size() - size)) size += got;
  if (!source->status().is_ok()) return Status::error(path + ": " + source->status().message());
  if (size == text.size()) return Status::error(path + ": longer than 1 MiB, so no description of a job");
  std::string_view rest(text.data(), size);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    read_line(line, job);
  }
  return Status::ok();
}

}  // namespace tauprof
