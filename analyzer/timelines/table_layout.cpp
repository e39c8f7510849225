#include "timelines/table_layout.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof {
namespace {

class LayoutVisitor : public FieldVisitor<LayoutVisitor> {
 public:
  explicit LayoutVisitor(TableLayout& layout) : layout_(layout) {}

  template <class T>
  void table(const std::string& name) {
    const auto outer = table_;
    table_ = static_cast<uint32_t>(layout_.tables.size());
    layout_.tables.push_back({name, {}, {}});
    T example{};
    (*this)("", example);
    table_ = outer;
  }

  template <class T>
  void number(const char* name, T&) {
    column(name);
  }
  void real(const char* name, double&) {
    column(name);
    column(name);
  }
  void text(const char* name, std::string&) { column(name); }
  void since(const char* name, Nanoseconds&, Nanoseconds) { column(name); }
  template <class T>
  void list(const char* name, std::vector<T>&) {
    column(name);
    layout_.tables[table_].inner.push_back(static_cast<uint32_t>(layout_.tables.size()));
    table<T>(layout_.tables[table_].name + "." + name);
  }

 private:
  void column(const char* name) { layout_.tables[table_].columns.emplace_back(name); }

  TableLayout& layout_;
  uint32_t table_ = 0;
};

template <class T>
TableLayout layout_of(const char* name) {
  TableLayout layout;
  LayoutVisitor(layout).table<T>(name);
  std::string names;
  for (const TableLayout::Table& table : layout.tables) {
    names += table.name + '\n';
    for (const std::string& column : table.columns) names += column + '\t';
  }
  layout.digest = XXH3_64bits(names.data(), names.size());
  return layout;
}

}  // namespace

const TableLayout& facts_layout() {
  static const TableLayout layout = layout_of<LogFacts>("log");
  return layout;
}

const TableLayout& timelines_layout() {
  static const TableLayout layout = layout_of<ReducedLog>("reduced");
  return layout;
}

}  // namespace tauprof
