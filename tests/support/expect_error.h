#pragma once

#include "core/base/error.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::test {

/// The sentence of the Error thrown by `action`, "" if it throws none.
inline std::string errorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Runs `action` and expects an Error of that kind whose sentence contains all of `words`.
inline void expectError(const std::function<void()>& action, const std::vector<std::string>& words,
                        ErrorKind kind = ErrorKind::badInput) {
  try {
    action();
    ADD_FAILURE() << "no error; wanted one with '" << (words.empty() ? "" : words.front()) << "'";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    for (const auto& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "'" << word << "' is not in: " << error.what();
  }
}

}  // namespace sulcus::test
