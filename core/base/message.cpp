#include "core/base/message.h"

#include <algorithm>
#include <string_view>

namespace sulcus {
namespace {

constexpr std::string_view kFlag = "--";

}  // namespace

Message::Message(std::string text) {
  if (!text.empty()) parts_.push_back({std::move(text)});
}

Message operator""_message(const char* literal, std::size_t size) {
  Message message;
  std::string_view rest(literal, size);
  for (std::size_t open = 0; (open = rest.find('{')) != rest.npos;) {
    const std::size_t close = rest.find('}', open);
    message += Message(std::string(rest.substr(0, open)));
    message += Message::option(std::string(rest.substr(open + 1, close - open - 1)));
    rest.remove_prefix(close + 1);
  }
  return message += Message(std::string(rest));
}

Message Message::from(const std::string& line) {
  Message message;
  std::string_view rest = line;
  std::size_t at = 0;
  while ((at = rest.find(kFlag, at)) != rest.npos) {
    const std::string_view after = rest.substr(at + kFlag.size());
    const std::string_view name(after.begin(), std::ranges::find_if_not(after, isOfOptionName));
    if (name.empty() || name.starts_with('-') || (at > 0 && isOfOptionName(rest[at - 1]))) {
      at += kFlag.size();
      continue;
    }
    message += Message(std::string(rest.substr(0, at)));
    message += option(std::string(name));
    rest = after.substr(name.size());
    at = 0;
  }
  return message += Message(std::string(rest));
}

std::string Message::line() const {
  std::string line;
  for (const Part& part : parts_) line += (part.isOption ? "--" : "") + part.text;
  return line;
}

Message& Message::operator+=(const Message& next) {
  for (const Part& part : next.parts_)
    if (!parts_.empty() && !parts_.back().isOption && !part.isOption)
      parts_.back().text += part.text;
    else
      parts_.push_back(part);
  return *this;
}

bool Message::removeEnd(std::string_view end) {
  if (parts_.empty() || parts_.back().isOption || !parts_.back().text.ends_with(end)) return false;
  std::string& last = parts_.back().text;
  last.resize(last.size() - end.size());
  if (last.empty()) parts_.pop_back();
  return true;
}

}  // namespace sulcus
