#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sulcus {

/// The characters of which names of options consist; the first is a letter.
inline constexpr std::string_view kOfOptionName = "abcdefghijklmnopqrstuvwxyz0123456789-";

/// A text for the user that may name options and inputs: the command line writes them as flags, the window as
/// the labels of its form. In a literal they stand between braces: "use {bias-field} fit or none"_message.
class Message {
 public:
  struct Part {
    std::string text;       ///< the name if it is an option
    bool isOption = false;  ///< of an option or input, as "bias-field"

    friend bool operator==(const Part&, const Part&) = default;
  };

  Message() = default;
  Message(const char* text) : Message(std::string(text)) {}
  Message(std::string text);
  static Message option(std::string name) { return Message({Part{std::move(name), true}}); }
  /// Parses a line of the command line, in which options are flags.
  static Message from(const std::string& line);

  const std::vector<Part>& parts() const { return parts_; }
  bool empty() const { return parts_.empty(); }
  /// As the command line writes it: "use --bias-field fit or none".
  std::string line() const;
  Message& operator+=(const Message& next);
  /// Removes `end` if the message ends with it; whether it did.
  bool removeEnd(std::string_view end);

  friend Message operator+(Message a, const Message& b) { return std::move(a += b); }
  friend bool operator==(const Message&, const Message&) = default;

 private:
  explicit Message(std::vector<Part> parts) : parts_(std::move(parts)) {}

  std::vector<Part> parts_;  ///< none is empty, and texts do not follow one another
};

Message operator""_message(const char* literal, std::size_t size);

}  // namespace sulcus
