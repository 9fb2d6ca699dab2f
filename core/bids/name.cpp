#include "core/bids/name.h"

#include "core/base/sanitized.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace sulcus::bids {
namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// BIDS allows letters, digits and plus signs; a dash within a label is common and harmless.
bool isLabelCharacter(char c) { return isWordCharacter(c) || c == '+' || c == '-'; }

/// The position of an entity in a name. Entities unknown to BIDS come before `desc`, as in drafts.
std::size_t placeOf(const std::string& key) {
  static const char* const kOrder[] = {
      "sub",   "ses",  "sample", "task", "tracksys", "acq",   "nuc",      "voi",   "ce",        "trc",
      "stain", "rec",  "dir",    "run",  "mod",      "echo",  "flip",     "inv",   "mt",        "part",
      "proc",  "from", "to",     "mode", "hemi",     "space", "cohort",   "split", "recording", "chunk",
      "atlas", "seg",  "scale",  "res",  "den",      "label", "contrast", "model", "param",     "stat"};
  const auto found = std::find(std::begin(kOrder), std::end(kOrder), key);
  return std::size_t(found - std::begin(kOrder)) + (key == "desc");
}

}  // namespace

std::string Name::label(std::string_view key) const {
  for (const auto& [own, value] : entities)
    if (own == key) return value;
  return {};
}

Name Name::with(const std::string& key, const std::string& value) const {
  Name name = *this;
  std::erase_if(name.entities, [&](const auto& entity) { return entity.first == key; });
  if (value.empty()) return name;
  const auto after = std::find_if(name.entities.begin(), name.entities.end(),
                                  [&](const auto& entity) { return placeOf(entity.first) > placeOf(key); });
  name.entities.insert(after, {key, value == "*" ? value : labelOf(value)});
  return name;
}

std::string Name::stem() const {
  std::string text;
  for (const auto& [key, value] : entities) text += (text.empty() ? "" : "_") + key + "-" + value;
  if (!suffix.empty()) text += (text.empty() ? "" : "_") + suffix;
  return text;
}

bool Name::describes(const Name& other, const std::vector<std::string>& except) const {
  return std::all_of(entities.begin(), entities.end(), [&](const auto& entity) {
    return std::find(except.begin(), except.end(), entity.first) != except.end() ||
           other.label(entity.first) == entity.second;
  });
}

std::optional<Name> parsedName(std::string_view file, std::string& fault) {
  fault.clear();
  Name name;
  const auto dot = std::min(file.find('.'), file.size());
  name.extension = file.substr(dot);
  std::string_view rest = file.substr(0, dot);
  while (!rest.empty()) {
    const auto end = std::min(rest.find('_'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto dash = part.find('-');
    if (dash == part.npos) {
      if (!rest.empty() || part.empty()) return std::nullopt;
      name.suffix = part;
      break;
    }
    const std::string key(part.substr(0, dash)), value(part.substr(dash + 1));
    if (key.empty() || value.empty()) {
      fault = "an entity of it has no label";
      return std::nullopt;
    }
    if (!isLabel(value) || !std::all_of(key.begin(), key.end(), isWordCharacter)) {
      fault = "its label " + inQuotes(value, 40) + " has other characters than letters and digits";
      return std::nullopt;
    }
    if (!name.label(key).empty()) {
      fault = "it has the entity '" + key + "' twice";
      return std::nullopt;
    }
    name.entities.emplace_back(key, value);
  }
  if (name.suffix.empty()) return std::nullopt;
  return name;
}

bool isLabel(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isLabelCharacter);
}

std::string labelOf(std::string_view text) {
  std::string label;
  bool begins = false;
  for (const char c : text) {
    if (isWordCharacter(c))
      label += begins && !label.empty() ? char(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = !isWordCharacter(c);
  }
  return label.empty() ? "unnamed" : label;
}

bool labelBefore(std::string_view a, std::string_view b) {
  const auto takeNumber = [](std::string_view& text) {
    const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view number = text.substr(0, length);
    text.remove_prefix(length);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
  };
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  while (!a.empty() && !b.empty()) {
    if (isDigit(a.front()) && isDigit(b.front())) {
      const std::string_view one = takeNumber(a), other = takeNumber(b);
      if (one != other) return std::pair(one.size(), one) < std::pair(other.size(), other);
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

bool sameLabel(std::string_view a, std::string_view b) {
  const auto isNumber = [](std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  if (!isNumber(a) || !isNumber(b)) return a == b;
  const auto bare = [](std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
    return text;
  };
  return bare(a) == bare(b);
}

}  // namespace sulcus::bids
