#pragma once

#include "core/base/components.h"

#include <string>
#include <vector>

namespace sulcus::app {

/// Sulcus and the libraries that a program of it is built with.
///
/// @param own  those of the program alone, e.g. Qt
std::vector<Component> componentsWith(const std::vector<Component>& own);

/// The commit that this program was built from, as --version says it: "commit 1a2b3c4 with changes".
std::string buildCommit();

/// What the --version of a program prints: aboutText() with the GPUs of this machine, none of which is
/// started. With a newline at the end.
std::string versionText(const std::vector<Component>& own);

}  // namespace sulcus::app
