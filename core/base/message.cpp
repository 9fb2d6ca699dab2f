#include "core/base/message.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <string_view>

namespace sulcus {

Message::Message(std::string text) {
  if (!text.empty()) parts_.push_back({std::move(text)});
}

Message operator""_message(const char* literal, std::size_t size) {
  Message message;
  std::string_view rest(literal, size);
  for (std::size_t open = 0; (open = rest.find('{')) != rest.npos;) {
    const std::size_t close = rest.find('}', open);
    assert(close != rest.npos && close > open + 1);
    message += Message(std::string(rest.substr(0, open)));
    message += Message::option(std::string(rest.substr(open + 1, close - open - 1)));
    rest.remove_prefix(close + 1);
  }
  return message += Message(std::string(rest));
}

Message Message::from(const std::string& line) {
  const auto isOfWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-'; };
  Message message;
  std::string_view rest = line;
  for (std::size_t at = 0; (at = rest.find("--", at)) != rest.npos;) {
    const std::size_t begin = at + 2;
    const std::size_t end = std::min(rest.find_first_not_of(kOfOptionName, begin), rest.size());
    const bool isOption = end > begin && rest[begin] >= 'a' && (at == 0 || !isOfWord(rest[at - 1]));
    if (!isOption) {
      at = end;
      continue;
    }
    message +=
        Message(std::string(rest.substr(0, at))) + option(std::string(rest.substr(begin, end - begin)));
    rest.remove_prefix(end);
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
