#include "import/input_kind.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>

#include "import/byte_source.h"
#include "import/nsys/database.h"
#include "import/operations/operation_rows.h"
#include "log/format.h"

namespace tauprof {
namespace {

constexpr size_t kFirstLook = size_t{64} << 10;
// Before its events, a trace has the ranks of all process groups: megabytes, of a large job.
constexpr size_t kLongestLook = size_t{8} << 20;

constexpr std::string_view kDatabaseMagic("SQLite format 3\0", 16);

// The start of a file, of which more and more is read.
class FileStart {
 public:
  explicit FileStart(std::unique_ptr<kineto::ByteSource> source) : source_(std::move(source)) {}

  std::string_view text() const { return text_; }
  // False: there is no more, or it is too long.
  bool read_more() {
    const size_t known = text_.size(), wanted = std::min(kLongestLook, std::max(kFirstLook, 4 * known));
    text_.resize(wanted);
    size_t size = known;
    while (size < wanted) {
      const size_t got = source_->read(text_.data() + size, wanted - size);
      if (got == 0) break;
      size += got;
    }
    text_.resize(size);
    return size > known;
  }

 private:
  std::unique_ptr<kineto::ByteSource> source_;
  std::string text_;
};

std::string_view without_space(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == text.npos ? std::string_view() : text.substr(first);
}

// Whether a key or text stands there that is not part of another text, where its quotes would be escaped.
bool has_words(std::string_view text, std::string_view words) {
  for (size_t found = text.find(words); found != text.npos; found = text.find(words, found + 1))
    if (found == 0 || text[found - 1] != '\\') return true;
  return false;
}

// Members that precede the events of a trace. Other JSON, such as a data set, is not read any further.
constexpr std::string_view kMembersOfTraces[] = {"\"schemaVersion\"", "\"deviceProperties\"", "\"distributedInfo\"",
                                                 "\"displayTimeUnit\"", "\"baseTimeNanoseconds\""};

InputKind kind_of_json(FileStart& start) {
  const std::string_view first = without_space(start.text());
  if (has_words(first, "\"tauprof.report/")) return InputKind::kReport;
  if (first.starts_with('[')) return has_words(first, "\"ph\"") ? InputKind::kTrace : InputKind::kJson;
  const bool may_be_trace = std::any_of(std::begin(kMembersOfTraces), std::end(kMembersOfTraces),
                                        [&](std::string_view member) { return has_words(first, member); });
  do
    if (has_words(start.text(), "\"traceEvents\"")) return InputKind::kTrace;
  while (may_be_trace && start.read_more());
  return InputKind::kJson;
}

InputKind kind_of_text(FileStart& start) {
  const std::string_view text = without_space(start.text());
  if (text.starts_with('{') || text.starts_with('[')) return kind_of_json(start);
  return is_heading_of_operations(text.substr(0, text.find_first_of("\r\n"))) ? InputKind::kOperations
                                                                              : InputKind::kOther;
}

InputKind kind_of_database(const std::string& path) {
  std::unique_ptr<nsys::Database> database;
  const bool is_of_nsys =
      nsys::Database::open(path, database, nsys::Database::kSchemaOnly).is_ok() && database->is_of_nsys();
  return is_of_nsys ? InputKind::kNsysDatabase : InputKind::kOther;
}

bool holds_timelines(std::string_view text) {
  log::FileHeader header{};
  std::memcpy(&header, text.data(), std::min(text.size(), sizeof header));
  return (header.required_features & log::kFeatureTimelines) != 0;
}

// The format of nsys' own files is not public. They are only refused, so their names are enough.
bool has_name_of_report(const std::string& path) { return path.ends_with(".nsys-rep") || path.ends_with(".qdrep"); }

}  // namespace

InputKind input_kind(const std::string& path) {
  std::unique_ptr<kineto::ByteSource> source;
  if (!kineto::ByteSource::open_start(path, source).is_ok()) return InputKind::kUnreadable;
  FileStart start(std::move(source));
  start.read_more();
  const std::string_view text = start.text();
  if (text.starts_with(std::string_view(log::kFileMagic, sizeof(log::kFileMagic))))
    return holds_timelines(text) ? InputKind::kTimelines : InputKind::kLog;
  if (text.starts_with(kDatabaseMagic)) return kind_of_database(path);
  const InputKind kind = kind_of_text(start);
  return kind == InputKind::kOther && has_name_of_report(path) ? InputKind::kNsysReport : kind;
}

bool is_imported(InputKind kind) {
  return kind == InputKind::kTrace || kind == InputKind::kOperations || kind == InputKind::kNsysDatabase;
}

}  // namespace tauprof
