// How nested values become flat tables: a list inside of a value is a table of its own, whose rows follow those of the
// value's row before; the value's row has the number of its rows. Example:
//
//   rank 0: collectives {a, b {peer 1}}      ranks              collectives        collectives.peer_calls
//   rank 1: collectives {c {peer 0, peer 2}}  collectives = 2    a: peer_calls = 0  peer = 1
//                                             collectives = 1    b: peer_calls = 1  peer = 0
//                                                                c: peer_calls = 2  peer = 2
//
// A text is the number of a text. A number that is not whole is in two columns: the second has its bits.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "log/format.h"
#include "timelines/timeline_fields.h"

namespace tauprof {

struct TableLayout {
  struct Table {
    std::string name;
    std::vector<std::string> columns;
    std::vector<uint32_t> inner;  // tables of the lists in it, in the order of their columns
  };
  std::vector<Table> tables;  // an outer one before those in it
  uint64_t digest = 0;        // of all names: two layouts with the same one are the same
};

// Of a list of logs' facts, and of a list of reduced logs.
const TableLayout& facts_layout();
const TableLayout& timelines_layout();

template <class T>
concept Whole = std::integral<T> || std::is_enum_v<T>;

// Where a visitor is: in a table, and which column and list of it come next.
struct TablePlace {
  uint32_t table = 0;
  uint32_t column = 0;
  uint32_t list = 0;
};

// Base of all visitors: breaks a field of any type down into numbers, texts and lists. `Derived` has number(name, T&),
// real(name, double&), text(name, std::string&), list(name, std::vector<T>&) and since(name, later, earlier).
template <class Derived>
class FieldVisitor {
 public:
  template <class T>
  void operator()(const char* name, T& field) {
    if constexpr (Whole<T>)
      self().number(name, field);
    else if constexpr (std::same_as<T, double>)
      self().real(name, field);
    else if constexpr (std::same_as<T, std::string>)
      self().text(name, field);
    else
      composed(name, field);
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }

  template <class T>
  void composed(const char*, T& value) {
    fields(self(), value);
  }
  template <class T, size_t kSize>
  void composed(const char* name, std::array<T, kSize>& values) {
    for (T& value : values) (*this)(name, value);
  }
  template <class T>
  void composed(const char* name, std::optional<T>& value) {
    bool is_there = value.has_value();
    (*this)(name, is_there);
    T stored = value.value_or(T{});
    (*this)(name, stored);
    if (is_there)
      value = stored;
    else
      value.reset();
  }
  template <class T>
  void composed(const char* name, std::vector<T>& values) {
    self().list(name, values);
  }
  template <class Key, class Value>
  void composed(const char* name, std::map<Key, Value>& values);
};

template <class Key, class Value>
struct MapEntry {
  Key key{};
  Value value{};
};
template <class Visitor, class Key, class Value>
void fields(Visitor& v, MapEntry<Key, Value>& entry) {
  v("key", entry.key);
  v("value", entry.value);
}

template <class Derived>
template <class Key, class Value>
void FieldVisitor<Derived>::composed(const char* name, std::map<Key, Value>& values) {
  std::vector<MapEntry<Key, Value>> entries;
  for (const auto& [key, value] : values) entries.push_back({key, value});
  self().list(name, entries);
  values.clear();
  for (MapEntry<Key, Value>& entry : entries) values.insert_or_assign(std::move(entry.key), std::move(entry.value));
}

// The kinds of blocks that tables are in, and the name of the layout that a file's tables have.

inline constexpr uint16_t kFirstFactsTable = log::kFirstTable;
inline constexpr uint16_t kFirstTimelineTable = kFirstFactsTable + 16;

inline int64_t layout_digest() { return static_cast<int64_t>(facts_layout().digest * 31 + timelines_layout().digest); }

}  // namespace tauprof
