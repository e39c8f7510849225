// JSON documents as lists: each of their objects is one, of keys, where their values come from, and a sentence each that
// says what they mean. The documents, their JSON schemas, the Python types and the tables of keys in docs follow.
//
//   Fields<RankBlame> fields_of(const RankBlame*) {
//     return {"RankBlame", "What the others waited for a rank",
//             {{"rank", &RankBlame::rank, "its number"},
//              {"last_share", [](const RankBlame& r) { return when(r.collectives > 0, r.last_share); },
//               "share of its collectives at which it arrived last"}}};
//   }
//
// A value is a member, a member function or a function of the object. Its C++ type is its type in JSON (Value, below):
// std::optional may be null, a vector is a list, a struct with a list of its own an object. The pointer that fields_of
// takes only says of which struct the list is.
#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "metrics/statistics/statistics.h"
#include "report/json_values.h"
#include "report/statement_text.h"
#include "report/value_names.h"

namespace tauprof {

// How values of a C++ type are written, and their JSON schema. `objects` takes the schema of each object, by name.
template <class T>
struct Value;

// A value that may be missing, and its key with it.
template <class T>
struct OrAbsent : std::optional<T> {
  OrAbsent(std::optional<T> value) : std::optional<T>(std::move(value)) {}
};

// An object whose keys are data, in this order.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

struct AllFieldsOf {};
// In the place of a key: the object has all fields of the value, too. A later field of the same key replaces the value.
inline constexpr AllFieldsOf kAllFieldsOf;

template <class Object>
struct Field {
  template <class Function>
  Field(const char* its_key, Function function, const char* its_meaning);
  template <class Function>
  Field(AllFieldsOf, Function function);

  void write(const Object& of, Json& json) const;
  void describe(Json& schema, Json& objects) const;

  const char* key = nullptr;  // nullptr: all fields of the value
  const char* meaning = "";
  bool may_be_absent = false;
  std::function<Json(const Object&)> value;  // discarded: absent
  Json (*schema_of_value)(Json& objects);
};

template <class Object>
struct Fields {
  const char* name;  // of the type in Python and in the schema
  const char* meaning;
  std::vector<Field<Object>> list;
};

template <class T>
concept Listed = requires {
  fields_of(static_cast<const T*>(nullptr));
};

template <Listed T>
const Fields<T>& the_fields_of() {
  static const Fields<T> kFields = fields_of(static_cast<const T*>(nullptr));
  return kFields;
}

template <Listed T>
struct Value<T> {
  static Json json(const T& of) {
    Json json = Json::object();
    for (const Field<T>& field : the_fields_of<T>().list) field.write(of, json);
    return json;
  }
  static Json schema(Json& objects) {
    const std::string name = the_fields_of<T>().name;
    if (!objects.contains(name)) {
      objects[name] = nullptr;  // known while its own fields are described
      objects[name] = object_schema(objects);
    }
    return {{"$ref", "#/$defs/" + name}};
  }
  // Objects may have more keys, as later reports of the same schema number do.
  static Json object_schema(Json& objects) {
    Json schema = {{"type", "object"},
                   {"description", the_fields_of<T>().meaning},
                   {"required", Json::array()},
                   {"properties", Json::object()}};
    for (const Field<T>& field : the_fields_of<T>().list) field.describe(schema, objects);
    return schema;
  }
};

template <>
struct Value<bool> {
  static Json json(bool value) { return value; }
  static Json schema(Json&) { return {{"type", "boolean"}}; }
};

template <std::integral T>
struct Value<T> {
  static Json json(T value) { return value; }
  static Json schema(Json&) { return {{"type", "integer"}}; }
};

template <>
struct Value<double> {
  static Json json(double value) { return value; }
  static Json schema(Json&) { return {{"type", "number"}}; }
};

template <class T>
requires std::convertible_to<T, std::string_view>
struct Value<T> {
  static Json json(std::string_view value) { return valid_utf8(value); }
  static Json schema(Json&) { return {{"type", "string"}}; }
};

template <>
struct Value<Statement> : Value<std::string> {
  static Json json(const Statement& value) { return valid_utf8(text_of(value)); }
};

template <class T>
requires std::is_enum_v<T>
struct Value<T> {
  static Json json(T value) { return name_of(value); }
  // Later reports may have more names, so these are examples. An empty one stands for none.
  static Json schema(Json&) {
    Json schema = {{"type", "string"}};
    if constexpr (HasNames<T>)
      for (const std::string_view name : names_of(static_cast<const T*>(nullptr)))
        if (!name.empty()) schema["examples"].push_back(name);
    return schema;
  }
};

// A value whose type is known only from the data.
template <>
struct Value<Json> {
  static Json json(Json value) { return value; }
  static Json schema(Json&) { return Json::object(); }
};

template <class T>
struct Value<std::optional<T>> {
  static Json json(const std::optional<T>& value) { return value ? Value<T>::json(*value) : Json(nullptr); }
  static Json schema(Json& objects) {
    return {{"anyOf", Json::array({Value<T>::schema(objects), {{"type", "null"}}})}};
  }
};

template <class... T>
struct Value<std::variant<T...>> {
  static Json json(const std::variant<T...>& value) {
    return std::visit([](const auto& one) { return Value<std::decay_t<decltype(one)>>::json(one); }, value);
  }
  static Json schema(Json& objects) { return {{"anyOf", Json::array({Value<T>::schema(objects)...})}}; }
};

template <class T>
struct Value<std::vector<T>> {
  static Json json(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(Value<T>::json(value));
    return list;
  }
  static Json schema(Json& objects) { return {{"type", "array"}, {"items", Value<T>::schema(objects)}}; }
};

template <class T>
struct Value<Named<T>> {
  static Json json(const auto& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values) object[valid_utf8(name)] = Value<T>::json(value);
    return object;
  }
  static Json schema(Json& objects) {
    return {{"type", "object"}, {"additionalProperties", Value<T>::schema(objects)}};
  }
};

template <class T>
struct Value<std::map<std::string, T>> : Value<Named<T>> {};

template <class T>
struct Value<OrAbsent<T>> : Value<T> {
  static Json json(const OrAbsent<T>& value) { return value ? Value<T>::json(*value) : Json(Json::value_t::discarded); }
};

template <class T>
inline constexpr bool kMayBeAbsent = false;
template <class T>
inline constexpr bool kMayBeAbsent<OrAbsent<T>> = true;

template <class Object>
template <class Function>
Field<Object>::Field(const char* its_key, Function function, const char* its_meaning)
    : key(its_key), meaning(its_meaning) {
  using Result = std::remove_cvref_t<std::invoke_result_t<Function, const Object&>>;
  may_be_absent = kMayBeAbsent<Result>;
  value = [function](const Object& of) { return Value<Result>::json(std::invoke(function, of)); };
  schema_of_value = Value<Result>::schema;
}

template <class Object>
template <class Function>
Field<Object>::Field(AllFieldsOf, Function function) {
  using Part = std::remove_cvref_t<std::invoke_result_t<Function, const Object&>>;
  value = [function](const Object& of) { return Value<Part>::json(std::invoke(function, of)); };
  schema_of_value = Value<Part>::object_schema;
}

template <class Object>
void Field<Object>::write(const Object& of, Json& json) const {
  Json of_key = value(of);
  if (key == nullptr)
    json.update(of_key);
  else if (!of_key.is_discarded())
    json[key] = std::move(of_key);
}

template <class Object>
void Field<Object>::describe(Json& schema, Json& objects) const {
  Json of_value = schema_of_value(objects);
  if (key == nullptr) {
    schema["properties"].update(of_value["properties"]);
    for (Json& name : of_value["required"]) schema["required"].push_back(std::move(name));
    return;
  }
  of_value["description"] = meaning;
  Json& properties = schema["properties"];
  if (!may_be_absent && !properties.contains(key)) schema["required"].push_back(key);
  properties[key] = std::move(of_value);
}

template <Listed T>
std::string document_of(const T& whole) {
  return document_text(Value<T>::json(whole));
}

// The JSON schema of all documents of a kind.
template <Listed T>
std::string schema_of(const char* title) {
  Json objects = Json::object();
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  schema.update(Value<T>::schema(objects));
  std::map<std::string, Json> by_name;
  for (auto& [name, object] : objects.items()) by_name[name] = object;
  schema["$defs"] = by_name;
  return schema.dump(1) + "\n";
}

// The words of the lists: null unless it is so; null if there is none; whole, as times in nanoseconds are.
template <class T>
std::optional<std::decay_t<T>> when(bool is_so, T&& value) {
  return is_so ? std::optional<std::decay_t<T>>(std::forward<T>(value)) : std::nullopt;
}

inline std::optional<std::string> known(const std::string& text) { return when(!text.empty(), text); }
inline std::optional<Statement> known(const Statement& said) { return when(!said.empty(), said); }
inline std::optional<log::DataType> known(log::DataType type) { return when(type != log::DataType::kUnknown, type); }
inline std::optional<Statistics> known(const Statistics& of) { return when(of.count > 0, of); }

inline int64_t rounded(double value) { return std::llround(value); }
inline std::optional<int64_t> rounded(const std::optional<double>& value) {
  return value ? std::optional<int64_t>(std::llround(*value)) : std::nullopt;
}

// The same of a member.
template <class T, class Object>
auto known(T Object::*member) {
  return [member](const Object& of) { return known(of.*member); };
}
template <class T, class Object>
auto rounded(T Object::*member) {
  return [member](const Object& of) { return rounded(of.*member); };
}

}  // namespace tauprof
