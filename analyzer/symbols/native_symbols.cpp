#include "symbols/native_symbols.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "model/demangled_name.h"
#include "symbols/elfutils.h"

namespace tauprof {
namespace {

std::string hexadecimal(const unsigned char* bytes, int count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// "(anonymous namespace)::load(std::vector<int> const&)" → "(anonymous namespace)::load". The arguments are the last
// parentheses of the outermost level.
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

// One file, opened so that addresses are those of the file itself, with the lines looked up so far.
class NativeSymbols::SymbolFile {
 public:
  SymbolFile(const std::string& path, const std::string& build_id) {
    // The log names the file: it may be a pipe, which would block, or a device.
    std::error_code error;
    if (dw_ == nullptr || !std::filesystem::is_regular_file(path, error)) return;
    static const Dwfl_Callbacks kCallbacks = {dw_->dwfl_build_id_find_elf, dw_->dwfl_standard_find_debuginfo,
                                              dw_->dwfl_offline_section_address, nullptr};
    session_.reset(dw_->dwfl_begin(&kCallbacks));
    if (session_ == nullptr) return;
    dw_->dwfl_report_begin(session_.get());
    module_ = dw_->dwfl_report_elf(session_.get(), path.c_str(), path.c_str(), -1, 0, true);
    dw_->dwfl_report_end(session_.get(), nullptr, nullptr);
    if (module_ != nullptr && !is_build(build_id)) module_ = nullptr;
  }

  void name(ProcessTrace& trace, CodeFrame& frame) {
    const auto [known, is_new] = lines_.try_emplace(frame.offset);
    if (is_new && module_ != nullptr) known->second = find(static_cast<GElf_Addr>(frame.offset));
    const SourceLine& line = known->second;
    if (!line.function.empty()) frame.function = trace.names.add(line.function);
    if (line.file.empty()) return;
    frame.file = trace.names.add(line.file);
    frame.line = line.number;
  }

 private:
  struct EndSession {
    void operator()(Dwfl* session) const { elfutils()->dwfl_end(session); }
  };
  struct SourceLine {
    std::string function, file;  // empty: not known
    int number = 0;
  };

  SourceLine find(GElf_Addr address) const {
    SourceLine found;
    if (const char* symbol = dw_->dwfl_module_addrname(module_, address))
      found.function = without_arguments(demangled_name(symbol));
    Dwfl_Line* const line = dw_->dwfl_module_getsrc(module_, address);
    if (line == nullptr) return found;
    if (const char* const file = dw_->dwfl_lineinfo(line, nullptr, &found.number, nullptr, nullptr, nullptr))
      found.file = file;
    return found;
  }

  bool is_build(const std::string& recorded) const {
    const unsigned char* bits = nullptr;
    GElf_Addr address = 0;
    const int size = dw_->dwfl_module_build_id(module_, &bits, &address);
    return recorded.empty() || size <= 0 || hexadecimal(bits, size) == recorded;
  }

  const Elfutils* const dw_ = elfutils();
  std::unique_ptr<Dwfl, EndSession> session_;
  Dwfl_Module* module_ = nullptr;
  std::map<int64_t, SourceLine> lines_;
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
