#include "read/bystander.h"

#include <memory>
#include <set>

#include "read/call_class.h"
#include "read/log_reader.h"

namespace tauprof {
namespace {

using log::RecordKind;

class Witness {
 public:
  // True once the log shows a rank, or a launch.
  bool sees_part_in(const RecordBlock& block) {
    switch (block.kind()) {
      case RecordKind::kGemm:
      case RecordKind::kCollective:
        return true;
      case RecordKind::kProcess:
        return any_row(block, block.column(&log::Process::rank), [](int64_t rank) { return rank >= 0; });
      case RecordKind::kDeviceActivity:
        return any_row(block, block.column(&log::DeviceActivity::activity), [](int64_t activity) {
          return activity != static_cast<int64_t>(log::ActivityKind::kSynchronization);
        });
      case RecordKind::kString:
        take_launching(block);
        return false;
      case RecordKind::kCall:
        return any_row(block, block.column(&log::Call::function),
                       [&](int64_t function) { return launching_.count(function) != 0; });
      default:
        return false;
    }
  }

 private:
  template <class Holds>
  static bool any_row(const RecordBlock& block, const Column& column, Holds holds) {
    for (uint32_t row = 0; row < block.records(); ++row)
      if (holds(column[row])) return true;
    return false;
  }
  void take_launching(const RecordBlock& block) {
    const Column id = block.column(&log::String::id);
    for (uint32_t row = 0; row < block.records(); ++row)
      if (launches_work(call_class_of(block.text(row)))) launching_.insert(id[row]);
  }

  std::set<int64_t> launching_;  // texts that are functions which launch
};

}  // namespace

bool is_bystander(const std::string& path) {
  std::unique_ptr<LogReader> reader;
  if (!LogReader::open(path, reader).is_ok()) return false;
  Witness witness;
  RecordBlock block;
  while (reader->next(block))
    if (witness.sees_part_in(block)) return false;
  return true;
}

}  // namespace tauprof
