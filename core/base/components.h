#pragma once

#include <string>
#include <vector>

namespace sulcus {

/// Sulcus itself, or a library that it is built with.
struct Component {
  std::string name;
  std::string version;  ///< "" if its headers do not state it
  std::string license;  ///< SPDX identifier
  std::string build{};  ///< Sulcus only: the commit it was built from, and how
};

/// Sulcus, and the libraries of core.
std::vector<Component> coreComponents();

}  // namespace sulcus
