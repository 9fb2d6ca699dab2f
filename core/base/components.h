#pragma once

#include <string>
#include <vector>

namespace sulcus {

/// Sulcus itself, or a library that it is built with.
struct Component {
  std::string name;
  std::string version;  ///< "" where its headers do not say
  std::string license;  ///< as SPDX names it
  std::string build{};  ///< the commit that it was built from and how, of Sulcus alone
};

/// Sulcus, and the libraries of core.
std::vector<Component> coreComponents();

}  // namespace sulcus
