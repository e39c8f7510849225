// How a list of fields becomes JSON and its schema: every kind of value once.
#include "report/fields.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

struct Wheel {
  int32_t number = 0;
  double pressure = 0;
};

Fields<Wheel> fields_of(const Wheel*) {
  return {"Wheel",
          "A wheel",
          {
              {"number", &Wheel::number, "its place"},
              {"pressure", [](const Wheel& w) { return when(w.pressure > 0, w.pressure); }, "measured"},
          }};
}

struct Car {
  std::string name;
  Wheel spare;
  std::vector<Wheel> wheels;
  double idle_ns = 0;
  Cause cause = Cause::kDataWait;
  std::optional<int64_t> owner;

  bool moves() const { return !wheels.empty(); }
};

Fields<Car> fields_of(const Car*) {
  return {"Car",
          "A car",
          {
              {"name", known(&Car::name), "in words"},
              {kAllFieldsOf, &Car::spare},
              {"pressure", [](const Car&) { return 7; }, "of the spare wheel, as claimed"},
              {"wheels", &Car::wheels, "the others"},
              {"moves", &Car::moves, "it has some"},
              {"idle_ns", rounded(&Car::idle_ns), "standing"},
              {"cause", &Car::cause, "why"},
              {"owner", [](const Car& c) { return OrAbsent(c.owner); }, "if it has one"},
              {"by_side",
               [](const Car& c) {
                 return Named<size_t>{{"right", c.wheels.size()}, {"left", 0}};
               },
               "wheels"},
              {"plate", [](const Car&) { return std::variant<int64_t, std::string>("B 1"); }, "as registered"},
          }};
}

Car car() { return {.name = "", .spare = {4, 2.5}, .wheels = {{0, 2.25}, {1, 0}}, .idle_ns = 1600.5}; }

TEST(Fields, AreWrittenInTheirOrder) {
  EXPECT_EQ(Value<Car>::json(car()).dump(),
            R"({"name":null,"number":4,"pressure":7,)"
            R"("wheels":[{"number":0,"pressure":2.25},{"number":1,"pressure":null}],"moves":true,"idle_ns":1601,)"
            R"("cause":"data_wait","by_side":{"right":2,"left":0},"plate":"B 1"})");
}

TEST(Fields, AreAbsentWithoutAValueOnlyWhereTheyMayBe) {
  Car owned = car();
  owned.owner = 0;
  EXPECT_EQ(Value<Car>::json(owned)["owner"], 0);
  EXPECT_FALSE(Value<Car>::json(car()).contains("owner"));
}

TEST(Fields, GiveTheirSchemaByTheTypesOfTheirValues) {
  Json objects = Json::object();
  EXPECT_EQ(Value<Car>::schema(objects), Json({{"$ref", "#/$defs/Car"}}));
  const Json& keys = objects["Car"]["properties"];
  EXPECT_EQ(objects["Car"]["required"],
            Json({"name", "number", "pressure", "wheels", "moves", "idle_ns", "cause", "by_side", "plate"}));
  EXPECT_EQ(keys["name"].dump(), R"({"anyOf":[{"type":"string"},{"type":"null"}],"description":"in words"})");
  EXPECT_EQ(keys["number"]["type"], "integer");
  EXPECT_EQ(keys["pressure"]["type"], "integer");
  EXPECT_EQ(keys["wheels"]["items"]["$ref"], "#/$defs/Wheel");
  EXPECT_EQ(keys["moves"]["type"], "boolean");
  EXPECT_EQ(keys["idle_ns"]["type"], "integer");
  EXPECT_EQ(keys["owner"]["type"], "integer");
  EXPECT_EQ(keys["by_side"]["additionalProperties"]["type"], "integer");
  EXPECT_EQ(keys["plate"]["anyOf"].size(), 2u);
  EXPECT_EQ(keys["cause"]["examples"].size(), kCauseCount);
  EXPECT_EQ(objects["Wheel"]["description"], "A wheel");
}

}  // namespace
}  // namespace tauprof
