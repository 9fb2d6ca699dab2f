#include "core/io/streams/file_json.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/base/utf8.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <set>
#include <vector>

namespace sulcus::io {
namespace {

using nlohmann::ordered_json;

constexpr int kDeepestValue = 64;
// Objects that keep the order of their keys are searched linearly, so the number of keys is limited.
constexpr std::size_t kKeysOfAnObject = 10'000, kKeysInAll = 100'000;

/// What happens if a key occurs twice in an object.
enum class DoubleKeys { refused, lastCounts };

/// Called for every parsed element. Refuses too many levels, which would exhaust the stack, too many keys,
/// which would take too long, and, unless allowed, duplicate keys, one of which would be lost.
class Guard {
 public:
  Guard(const std::string& name, DoubleKeys doubleKeys) : name_(name), doubleKeys_(doubleKeys) {}

  bool operator()(int depth, ordered_json::parse_event_t event, ordered_json& parsed) {
    if (depth > kDeepestValue)
      refuse("it is nested too deeply, in more than " + std::to_string(kDeepestValue) + " levels");
    if (event == ordered_json::parse_event_t::object_start) keys_.emplace_back();
    if (event == ordered_json::parse_event_t::object_end) keys_.pop_back();
    if (event == ordered_json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second && doubleKeys_ == DoubleKeys::refused)
        refuse("the key " + inQuotes(key, 40) + " occurs twice in one object");
      if (++count_ > kKeysInAll || keys_.back().size() > kKeysOfAnObject) refuse("it has too many keys");
    }
    return true;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(name_ + " is not valid JSON", why, "correct it, or remove it");
  }
  const std::string& name_;
  DoubleKeys doubleKeys_;
  std::vector<std::set<std::string>> keys_;  ///< of the objects that are open
  std::size_t count_ = 0;
};

/// Estimates the memory of a text's values as a tree, without building it: a small text of empty lists takes
/// twenty times its size.
class TreeSize : public nlohmann::json_sax<ordered_json> {
 public:
  static constexpr std::uint64_t kMost = 600'000'000;  // bytes

  bool null() override { return add(0); }
  bool boolean(bool) override { return add(0); }
  bool number_integer(number_integer_t) override { return add(0); }
  bool number_unsigned(number_unsigned_t) override { return add(0); }
  bool number_float(number_float_t, const string_t&) override { return add(0); }
  bool string(string_t& value) override { return add(kOfItsOwn + value.size()); }
  bool binary(binary_t&) override { return add(0); }
  bool start_object(std::size_t) override { return add(kOfItsOwn); }
  bool key(string_t& value) override { return add(kOfItsOwn + value.size()); }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return add(kOfItsOwn); }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;  // reported by the parser
  }

  bool isTooLarge() const { return bytes_ > kMost; }

 private:
  static constexpr std::uint64_t kOfItsOwn = 48;  // bytes allocated outside of the value itself
  bool add(std::uint64_t bytes) {
    bytes_ += sizeof(ordered_json) + bytes;
    return !isTooLarge();
  }
  std::uint64_t bytes_ = 0;
};

/// A position in a text such as "line 3, near '"order": x'".
std::string placeIn(const std::string& text, std::size_t position) {
  position = std::min(position, text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(position), '\n');
  const std::size_t begin = position - std::min<std::size_t>(position, 20);
  const std::string near = sanitizedForDisplay(std::string_view(text).substr(begin, 30));
  return "line " + std::to_string(line) + (near.empty() ? "" : ", near '" + near + "'");
}

/// Parses `text`, which messages call `name`, within the limits of Guard.
ordered_json parsed(const std::string& text, const std::string& name, DoubleKeys doubleKeys) {
  constexpr std::size_t kLittle = 1'000'000;
  if (text.size() > kLittle) {
    TreeSize size;
    ordered_json::sax_parse(text, &size);
    if (size.isTooLarge())
      throw Error(name + " is not valid JSON", "it has too many values", "correct it, or remove it");
  }
  try {
    Guard guard(name, doubleKeys);
    return ordered_json::parse(text, std::ref(guard));
  } catch (const ordered_json::parse_error& fault) {
    throw Error(name + " is not valid JSON", placeIn(text, fault.byte), "correct it, or remove it");
  } catch (const ordered_json::exception&) {
    throw Error(name + " is not valid JSON", "a number in it is too large", "correct it, or remove it");
  }
}

/// The JSON string that begins at the quotation mark `at`, with invalid characters escaped as by
/// sanitizedForDisplay(). Moves `at` past it.
std::string mendedString(const std::string& text, std::size_t& at) {
  std::string mended = "\"";
  for (++at; at < text.size() && text[at] != '"';) {
    if (text[at] == '\\') {
      mended += text.substr(at, 2);
      at += 2;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of("\"\\", at), text.size());
    for (const char c : sanitizedForDisplay(std::string_view(text).substr(at, end - at)))
      mended += c == '\\' ? "\\\\" : std::string(1, c);
    at = end;
  }
  ++at;
  return mended + '"';
}

/// Repairs JSON as some programs write it; see openCompanionJson().
std::string mendedJson(const std::string& text) {
  std::string mended;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      mended += mendedString(text, at);
      continue;
    }
    const std::string_view rest = std::string_view(text).substr(at);
    const std::size_t next = rest.find_first_not_of(" \t\n\r", 1);
    const bool isLastComma = rest[0] == ',' && next != rest.npos && (rest[next] == '}' || rest[next] == ']');
    std::size_t taken = 1;
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
      if (rest.starts_with(word)) taken = word.size();
    if (taken > 1)
      mended += "null";
    else if (!isLastComma)
      mended += rest[0];
    at += taken;
  }
  return mended;
}

}  // namespace

ordered_json parseJson(const std::string& text, const std::string& name) {
  return parsed(text, name, DoubleKeys::refused);
}

CompanionJson openCompanionJson(const std::filesystem::path& file) {
  const auto requireObject = [&](ordered_json json) {
    if (!json.is_object())
      throw Error(quoted(file) + " is not a JSON object", "the sidecar of a scan describes it by keys",
                  "correct it, or remove it");
    return json;
  };
  CompanionJson companion{ordered_json::object(), ""};
  try {
    const std::string text = openText(file);
    try {
      companion.object = requireObject(parseJson(text, quoted(file)));
    } catch (const Error& fault) {
      companion.object = requireObject(parsed(mendedJson(text), quoted(file), DoubleKeys::lastCounts));
      companion.warning =
          std::string("the JSON sidecar of the scan was read despite an error: ") + fault.what();
    }
  } catch (const Error& fault) {
    companion.warning = std::string("the JSON sidecar of the scan was not used: ") + fault.what();
  }
  return companion;
}

ordered_json openJson(const std::filesystem::path& file) { return parseJson(openText(file), quoted(file)); }

namespace {

/// Makes every text in it valid UTF-8: other bytes appear as \xe9.
void escapeBytes(ordered_json& json) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    text = withoutStrayBytes(text);
  }
  if (json.is_structured())
    for (ordered_json& one : json) escapeBytes(one);
}

}  // namespace

std::string jsonText(const ordered_json& json, int indent) {
  try {
    return json.dump(indent) + "\n";
  } catch (const ordered_json::type_error&) {
    ordered_json valid = json;
    escapeBytes(valid);
    return valid.dump(indent, ' ', false, ordered_json::error_handler_t::replace) + "\n";  // including keys
  }
}

}  // namespace sulcus::io
