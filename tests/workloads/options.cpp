// See options.h.
#include "options.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <string_view>

#include "option_table.h"

namespace training {
namespace {

template <typename... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overload(Cases...) -> Overload<Cases...>;

template <typename Number>
bool read_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

template <typename Number>
bool read_at_least(std::string_view text, double least, Number& out) {
  Number value{};
  if (!read_number(text, value) || !(value >= least)) return false;
  out = value;
  return true;
}

bool read_list(std::string_view text, std::vector<int>& out) {
  out.clear();
  while (true) {
    const std::size_t comma = text.find(',');
    if (!read_at_least(text.substr(0, comma), 1, out.emplace_back())) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

bool read_value(const OptionRow& row, std::string_view text) {
  return std::visit(
      Overload{[](bool*) { return false; }, [&](int* out) { return read_at_least(text, row.least, *out); },
               [&](double* out) { return read_at_least(text, row.least, *out); },
               [&](std::string* out) {
                 *out = text;
                 return true;
               },
               [&](Disturbances* out) { return read_disturbances(text, *out); },
               [&](std::vector<int>* out) { return read_list(text, *out); },
               [&](const Choice& choice) {
                 *choice.value = text;
                 return std::ranges::count(choice.accepted, text) == 1;
               }},
      row.target);
}

const OptionRow* find_row(const std::vector<OptionGroup>& table, std::string_view name) {
  for (const OptionGroup& group : table) {
    for (const OptionRow& row : group.rows) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

// The sizes of --small. Applied before the other options, so that these can override them.
void shrink(Options& options) {
  options.layers = 4;
  options.hidden = 2048;
  options.heads = 16;
  options.batch = 6;
  options.sequence = 1024;
  options.vocabulary = 8000;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

std::string number_text(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  return {text, end};
}

struct ValueHelp {
  std::string placeholder, standard;
};

ValueHelp help_of(const OptionTarget& target) {
  return std::visit(Overload{[](bool*) { return ValueHelp{}; },
                             [](int* value) {
                               return ValueHelp{" N", std::to_string(*value)};
                             },
                             [](double* value) {
                               return ValueHelp{" X", number_text(*value)};
                             },
                             [](std::string* value) {
                               return ValueHelp{" TEXT", *value};
                             },
                             [](Disturbances*) {
                               return ValueHelp{" RANK:X,...", ""};
                             },
                             [](std::vector<int>*) {
                               return ValueHelp{" N,N,...", ""};
                             },
                             [](const Choice& choice) {
                               return ValueHelp{" " + join(choice.accepted), *choice.value};
                             }},
                    target);
}

}  // namespace

ParsedOptions parse_options(int count, char** arguments) {
  ParsedOptions parsed;
  const std::vector<OptionGroup> table = option_table(parsed.options);
  const auto is_small = [](const char* argument) { return std::strcmp(argument, "--small") == 0; };
  if (std::any_of(arguments + 1, arguments + count, is_small)) shrink(parsed.options);
  for (int i = 1; i < count && !parsed.mistake; ++i) {
    const std::string argument = arguments[i];
    parsed.help = parsed.help || argument == "--help" || argument == "-h";
    if (argument == "--help" || argument == "-h") continue;
    const OptionRow* row = find_row(table, argument);
    if (row == nullptr) {
      parsed.mistake = "unknown option " + argument;
    } else if (bool* const* flag = std::get_if<bool*>(&row->target)) {
      **flag = true;
    } else if (++i == count) {
      parsed.mistake = argument + " needs a value";
    } else if (!read_value(*row, arguments[i])) {
      parsed.mistake = argument + " does not take " + arguments[i];
    }
  }
  return parsed;
}

std::optional<std::string> mistake_in(const Options& o, int ranks) {
  const auto sum = std::accumulate(o.stage_layers.begin(), o.stage_layers.end(), 0);
  const bool needs_eager = o.tensor > 1 || o.pipeline > 1 || o.zero || o.experts || o.scratch != "kept" ||
                           o.sync_every_layer || !o.layer_sync.empty() || o.memory_growth_mb > 0;
  const struct {
    bool is_wrong;
    const char* text;
  } rules[] = {
      {o.hidden % 64 != 0 || o.hidden > 8192, "--hidden must be a multiple of 64 and at most 8192"},
      {o.sequence % 8 != 0 || o.vocabulary % 8 != 0, "--sequence and --vocabulary must be multiples of 8"},
      {o.hidden % o.heads != 0 || o.hidden / o.heads % 8 != 0, "--hidden over --heads must be a multiple of 8"},
      {o.heads % o.tensor != 0 || o.hidden % (2 * o.tensor) != 0,
       "--heads and half of --hidden must be multiples of --tensor"},
      {ranks % (o.tensor * o.pipeline) != 0, "the ranks must be a multiple of --tensor times --pipeline"},
      {o.layers < o.pipeline, "--pipeline needs at least one layer per stage"},
      {!o.stage_layers.empty() && (static_cast<int>(o.stage_layers.size()) != o.pipeline || sum != o.layers),
       "--stage-layers must be --pipeline numbers whose sum is --layers"},
      {o.loader_workers > o.prefetch, "--loader-workers must be at most --prefetch"},
      {o.zero && o.experts, "--zero and --experts exclude each other"},
      {o.zero && o.windows, "--zero and --windows exclude each other"},
      {o.zero && o.sync_every_micro_batch, "--zero and --sync-every-micro-batch exclude each other"},
      {o.eval_rank >= 0 && (o.tensor > 1 || o.pipeline > 1 || o.zero || o.experts),
       "--eval-rank excludes --tensor, --pipeline, --zero, --experts: the others would not take part"},
      {o.graph && needs_eager,
       "--graph excludes --tensor, --pipeline, --zero, --experts, --scratch, --sync-every-layer, --layer-sync, "
       "--memory-growth-mb"},
  };
  for (const auto& rule : rules) {
    if (rule.is_wrong) return rule.text;
  }
  return std::nullopt;
}

std::string help_text() {
  std::string text =
      "usage: training [option...]\n\n"
      "Trains a transformer on random tokens. Rank 0 prints one line per step, with times only if --timing is given.\n"
      "Every known defect of a training program is an option. RANK:X,... stands for RANK:X[:EVERY[:FIRST]],...: a\n"
      "disturbance of that rank in every step, or in one step of EVERY, starting with step FIRST.\n";
  Options standard;
  for (const OptionGroup& group : option_table(standard)) {
    text += "\n" + std::string(group.title) + ":\n";
    for (const OptionRow& row : group.rows) {
      ValueHelp value = help_of(row.target);
      if (value.standard == "0" || value.standard == "-1") value.standard = "none";
      std::string left = "  " + std::string(row.name) + value.placeholder;
      left += left.size() < 34 ? std::string(34 - left.size(), ' ') : "\n" + std::string(34, ' ');
      text += left + row.help + (value.standard.empty() ? "" : " (default: " + value.standard + ")") + "\n";
    }
  }
  return text + "\nExit status: 0; 1 after an error of CUDA or of a rank; 2 for wrong usage.\n";
}

}  // namespace training
