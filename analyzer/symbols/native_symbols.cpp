#include "symbols/native_symbols.h"

#include <cxxabi.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>

namespace tauprof {
namespace {

struct End {
  void operator()(Dwfl* session) const { dwfl_end(session); }
  void operator()(char* text) const { free(text); }
};

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, End> text(abi::__cxa_demangle(name, nullptr, nullptr, &status));
  return status == 0 && text != nullptr ? text.get() : name;
}

std::string hexadecimal(const unsigned char* bytes, int count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// Of a C++ function, what one looks for: "(anonymous namespace)::load(std::vector<int> const&)" is load's
// name without its arguments. They are what stands in the last parentheses of the outermost level.
std::string without_arguments(const std::string& name) {
  if (name.empty() || (name.back() != ')' && !name.ends_with(") const"))) return name;
  int depth = 0;
  for (size_t at = name.rfind(')') + 1; at-- > 0;) {
    if (name[at] == ')') ++depth;
    if (name[at] == '(' && --depth == 0) return at == 0 ? name : name.substr(0, at);
  }
  return name;
}

}  // namespace

// One file, opened so that an address is what the file itself calls it, with the places asked for so far.
class NativeSymbols::SymbolFile {
 public:
  SymbolFile(const std::string& path, const std::string& build_id) {
    static const Dwfl_Callbacks kCallbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                              dwfl_offline_section_address, nullptr};
    session_.reset(dwfl_begin(&kCallbacks));
    if (session_ == nullptr) return;
    dwfl_report_begin(session_.get());
    module_ = dwfl_report_elf(session_.get(), path.c_str(), path.c_str(), -1, 0, true);
    dwfl_report_end(session_.get(), nullptr, nullptr);
    if (module_ != nullptr && !is_build(build_id)) module_ = nullptr;
  }

  void name(ProcessTrace& trace, CodeFrame& frame) {
    const auto [known, is_new] = places_.try_emplace(frame.offset);
    if (is_new && module_ != nullptr) known->second = find(static_cast<GElf_Addr>(frame.offset));
    const Place& place = known->second;
    if (!place.function.empty()) frame.function = trace.names.add(place.function);
    if (place.file.empty()) return;
    frame.file = trace.names.add(place.file);
    frame.line = place.line;
  }

 private:
  struct Place {
    std::string function, file;  // empty: not known
    int line = 0;
  };

  Place find(GElf_Addr address) const {
    Place place;
    if (const char* symbol = dwfl_module_addrname(module_, address))
      place.function = without_arguments(demangled(symbol));
    Dwfl_Line* const line = dwfl_module_getsrc(module_, address);
    if (line == nullptr) return place;
    if (const char* const file = dwfl_lineinfo(line, nullptr, &place.line, nullptr, nullptr, nullptr))
      place.file = file;
    return place;
  }

  bool is_build(const std::string& recorded) const {
    const unsigned char* bits = nullptr;
    GElf_Addr address = 0;
    const int size = dwfl_module_build_id(module_, &bits, &address);
    return recorded.empty() || size <= 0 || hexadecimal(bits, size) == recorded;
  }

  std::unique_ptr<Dwfl, End> session_;
  Dwfl_Module* module_ = nullptr;
  std::map<int64_t, Place> places_;
};

NativeSymbols::NativeSymbols() = default;
NativeSymbols::~NativeSymbols() = default;

NativeSymbols::SymbolFile& NativeSymbols::file(const std::string& path, const std::string& build_id) {
  std::unique_ptr<SymbolFile>& file = files_[{path, build_id}];
  if (file == nullptr) file = std::make_unique<SymbolFile>(path, build_id);
  return *file;
}

void NativeSymbols::name_frames(ProcessTrace& trace) {
  std::map<NameId, std::string> build_ids;
  for (const CodeModule& module : trace.stacks.modules) build_ids[module.path] = trace.names[module.build_id];
  const std::lock_guard lock(mutex_);
  for (CodeFrame& frame : trace.stacks.frames)
    if (frame.language == log::FrameLanguage::kNative && frame.function == kNoName && frame.module != kNoName)
      file(std::string(trace.names[frame.module]), build_ids[frame.module]).name(trace, frame);
}

}  // namespace tauprof
