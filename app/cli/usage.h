#pragma once

#include "app/cli/parser.h"
#include "core/base/error.h"

#include <string>
#include <vector>

// Messages about calls that cannot be understood.
namespace sulcus::app::cli {

/// The name that `word` most likely stands for: the one reached with the fewest changes of a letter; "" if
/// none is close.
std::string nearestName(const std::string& word, const std::vector<std::string>& names);

/// The command that was called, e.g. "phantom fibers"; `program` itself if there is none.
const CLI::App* innermostOf(const CLI::App& program);

/// The error for a call of `program` in which CLI11 found a fault; of several faults, an unknown word is
/// reported first, since a mistyped flag also counts as missing.
Error usageError(const CLI::App& program, const CLI::ParseError& fault);

// Checks of flags that are not parameters: they refuse a text in the same way as those of parameters, with an
// Error (usage) that says what is valid.

/// Accepts one of these names for `what`, a flag with its -- or the name of a positional argument: "LEVEL".
CLI::Validator oneOf(const std::string& what, const std::vector<std::string>& names);
/// Accepts an integer from `minimum` to `maximum`; `flag` is without --.
CLI::Validator wholeNumber(const std::string& flag, double minimum, double maximum);
/// Accepts any nonnegative number.
CLI::Validator notNegative(const std::string& flag);
CLI::Validator realNumber(const std::string& flag, double minimum, double maximum,
                          const std::string& unit = "");

}  // namespace sulcus::app::cli
