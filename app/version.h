#pragma once

#include "core/base/components.h"

#include <string>
#include <vector>

namespace sulcus::app {

/// Sulcus and the libraries with which one of its programs is built.
///
/// @param own those of this program only, e.g. Qt
std::vector<Component> componentsWith(const std::vector<Component>& own);

/// The commit from which this program was built, as in --version: "commit 1a2b3c4 with changes".
std::string buildCommit();

/// The output of a program's --version: aboutText() with the GPUs of this machine, none of which is started.
/// With a newline at the end.
std::string versionText(const std::vector<Component>& own);

}  // namespace sulcus::app
