#include "export/repeated_names.h"

#include "export/kineto_events.h"

namespace tauprof::kineto_export {
namespace {

// By convention: a trace of PyTorch takes some 40 bytes for the name of an event, one of long kernels 200.
constexpr uint64_t kBytesPerEvent = 256;
constexpr uint64_t kBytesAtFirst = uint64_t{64} << 20;
constexpr size_t kCutTo = 200;

}  // namespace

const std::string& RepeatedNames::text(NameId name) {
  const std::string_view whole = names_[name];
  const bool is_cut = whole.size() > kCutTo && bytes_ + whole.size() > kBytesAtFirst + kBytesPerEvent * asked_;
  std::string& text = (is_cut ? cut_texts_ : texts_)[name];
  if (text.empty())
    text =
        json_text(is_cut ? std::string(whole.substr(0, kCutTo)) + "... #" + std::to_string(name) : std::string(whole));
  ++asked_;
  bytes_ += text.size();
  return text;
}

}  // namespace tauprof::kineto_export
