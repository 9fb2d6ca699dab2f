#pragma once

#include "core/analysis/chart.h"
#include "core/base/note.h"
#include "core/base/options.h"
#include "core/image/grids/slice_turn.h"
#include "core/image/layer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

// The fields of a struct are listed once, by `visitFields(fields, value)` in this namespace, which calls
// `fields` with the key and the member of each; FieldWriter and FieldReader are such `fields`. Functions that
// read throw nlohmann::json::exception or std::out_of_range for JSON of a different structure.
namespace sulcus::ui::jobs {

using Json = nlohmann::ordered_json;

class FieldWriter;
class FieldReader;

/// `T` is `Whole`, const or not: for visitFields(), which both writes and reads.
template <class T, class Whole>
concept Of = std::same_as<std::remove_const_t<T>, Whole>;
template <class T>
concept HasFields = requires(FieldWriter& fields, const T& value) {
  visitFields(fields, value);
};

/// The JSON if it is a list; else throws std::out_of_range.
const Json& listIn(const Json& json);

Json toJson(const Vec3<double>& v);
Json toJson(const Range& range);
Json toJson(const SliceTurn& turn);
Json toJson(const OptionValues& values);
Json toJson(const Grid& grid);
Json toJson(const Notes& notes);
template <class T>
Json toJson(const T& value);
template <class T>
Json toJson(const std::vector<T>& values);
template <class T>
Json toJson(const std::optional<T>& value);

void read(const Json& json, Vec3<double>& v);
void read(const Json& json, Range& range);
void read(const Json& json, SliceTurn& turn);
void read(const Json& json, OptionValues& values);
void read(const Json& json, Grid& grid);
void read(const Json& json, Notes& notes);
void read(const Json& json, std::vector<double>& numbers);  ///< NaN, which JSON lacks, is null
template <class T>
void read(const Json& json, T& value);
template <class T>
void read(const Json& json, std::vector<T>& values);
template <class T>
void read(const Json& json, std::optional<T>& value);

/// A value as read from JSON.
template <class T>
T readAs(const Json& json) {
  T value{};
  read(json, value);
  return value;
}

/// Writes the fields of a struct.
class FieldWriter {
 public:
  template <class T>
  void operator()(const char* key, const T& value) {
    json[key] = toJson(value);
  }
  /// A field that files of earlier versions lack.
  template <class T>
  void later(const char* key, const T& value) {
    json[key] = toJson(value);
  }
  /// A field that is written only if it has a value, elements, or another value than the default.
  template <class T>
  void ifSet(const char* key, const T& value) {
    bool isSet = false;
    if constexpr (requires { value.has_value(); })
      isSet = value.has_value();
    else if constexpr (requires { value.empty(); })
      isSet = !value.empty();
    else
      isSet = value != T();
    if (isSet) json[key] = toJson(value);
  }
  /// A number that may be NaN, which JSON lacks: null.
  void orNull(const char* key, double value) { json[key] = value; }
  /// A number that is clamped on reading, and keeps its default if the file has no finite number.
  template <class T>
  void sound(const char* key, const T& value, double = 0, double = 0) {
    json[key] = value;
  }
  /// A number that is clamped on reading.
  template <class T>
  void within(const char* key, const T& value, T, T) {
    json[key] = value;
  }
  /// An enumerator, by its name.
  template <class Enum, std::size_t N>
  void oneOf(const char* key, const Enum& value, const std::array<const char*, N>& names) {
    json[key] = names[std::size_t(value)];
  }
  /// Fields in an object of their own, listed by `visit(fields)`.
  template <class Visit>
  void group(const char* key, const Visit& visit) {
    FieldWriter part;
    visit(part);
    json[key] = std::move(part.json);
  }
  /// Whether there is such a field.
  static bool has(const char*) { return true; }

  Json json = Json::object();
};

/// Reads the fields of a struct; see FieldWriter.
class FieldReader {
 public:
  explicit FieldReader(const Json& json) : json_(json) {}

  template <class T>
  void operator()(const char* key, T& value) const {
    read(json_.at(key), value);
  }
  template <class T>
  void later(const char* key, T& value) const {
    if (has(key)) read(json_[key], value);
  }
  template <class T>
  void ifSet(const char* key, T& value) const {
    later(key, value);
  }
  void orNull(const char* key, double& value) const {
    const Json& json = json_.at(key);
    value = json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
  }
  template <class T>
  void sound(const char* key, T& value, double low = -std::numeric_limits<double>::max(),
             double high = std::numeric_limits<double>::max()) const {
    const Json& json = json_.at(key);
    if (json.is_number() && std::isfinite(json.get<double>()))
      value = T(std::clamp(json.get<double>(), low, high));
  }
  template <class T>
  void within(const char* key, T& value, T low, T high) const {
    value = T(std::clamp(json_.at(key).get<double>(), double(low), double(high)));
  }
  /// The first enumerator for another name.
  template <class Enum, std::size_t N>
  void oneOf(const char* key, Enum& value, const std::array<const char*, N>& names) const {
    const auto found = std::find(names.begin(), names.end(), json_.at(key).get<std::string>());
    value = Enum(found == names.end() ? 0 : found - names.begin());
  }
  template <class Visit>
  void group(const char* key, const Visit& visit) const {
    FieldReader part(json_.at(key));
    visit(part);
  }
  bool has(const char* key) const { return json_.contains(key); }

 private:
  const Json& json_;
};

template <class T>
Json toJson(const T& value) {
  if constexpr (HasFields<T>) {
    FieldWriter fields;
    visitFields(fields, value);
    return std::move(fields.json);
  } else {
    return Json(value);
  }
}

template <class T>
Json toJson(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(toJson(value));
  return json;
}

template <class T>
Json toJson(const std::optional<T>& value) {
  return value ? toJson(*value) : Json();
}

template <class T>
void read(const Json& json, T& value) {
  if constexpr (HasFields<T>) {
    FieldReader fields(json);
    visitFields(fields, value);
  } else {
    value = json.get<T>();
  }
}

template <class T>
void read(const Json& json, std::vector<T>& values) {
  values.clear();
  for (const Json& one : listIn(json)) values.push_back(readAs<T>(one));
}

template <class T>
void read(const Json& json, std::optional<T>& value) {
  if (json.is_null())
    value.reset();
  else
    value = readAs<T>(json);
}

}  // namespace sulcus::ui::jobs
