#pragma once

#include "core/base/error.h"
#include "core/image/layer.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::test {

/// A table as if it had been opened.
inline Layer tableLayer(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                        std::string name = "table") {
  Layer layer;
  layer.name = std::move(name);
  layer.content = TableLayer{std::move(columns), std::move(rows)};
  return layer;
}

/// Runs `action` and expects an Error of that kind whose sentence holds every one of `words`.
inline void expectSentence(const std::function<void()>& action, const std::vector<std::string>& words,
                           ErrorKind kind = ErrorKind::badInput) {
  try {
    action();
    ADD_FAILURE() << "no error; wanted one with '" << words.front() << "'";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    for (const auto& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "'" << word << "' is not in: " << error.what();
  }
}

inline std::string joined(const std::vector<std::string>& notes) {
  std::string text;
  for (const auto& note : notes) text += note + "\n";
  return text;
}

}  // namespace sulcus::test
