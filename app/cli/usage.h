#pragma once

#include "app/cli/parser.h"
#include "core/base/error.h"

#include <string>
#include <vector>

// What is said about a call that cannot be understood.
namespace sulcus::app::cli {

/// The name that `word` was most likely meant to be: the one that the fewest changes of a letter lead to;
/// "" when none is near.
std::string nearestName(const std::string& word, const std::vector<std::string>& names);

/// The command that was called, e.g. "phantom fibers"; `program` itself where there is none.
const CLI::App* innermostOf(const CLI::App& program);

/// What to throw for a call of `program` that CLI11 found a fault in; of several faults a word that nothing
/// knows is named first, for a mistyped flag is one that is missing, too.
Error usageError(const CLI::App& program, const CLI::ParseError& fault);

// Checks of flags that are no parameters: they refuse a text as that of a parameter is refused, by an Error
// (usage) with what would be right.

/// Takes one of these names for `what`, a flag with its -- or the name of a place: "LEVEL".
CLI::Validator oneOf(const std::string& what, const std::vector<std::string>& names);
/// Takes a whole number from `minimum` to `maximum`; `flag` is without --.
CLI::Validator wholeNumber(const std::string& flag, double minimum, double maximum);
/// Takes any number that is not negative.
CLI::Validator notNegative(const std::string& flag);

}  // namespace sulcus::app::cli
