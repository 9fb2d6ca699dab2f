#pragma once

#include <optional>
#include <string>

// A backend on another machine, which is reached through ssh.
namespace sulcus::app::elsewhere {

struct Place {
  std::string host;             ///< as ssh takes it: a name, USER@NAME, or a name of ~/.ssh/config
  std::string backend = "gpu";  ///< what is used there: "gpu", "cpu" or "both"
  std::string name() const { return "ssh:" + host; }
};

/// What "ssh:HOST" (the GPU there), "ssh:HOST/cpu" or "ssh:HOST/both" means; none for any other text. Throws
/// Error (usage) for a host that cannot be one.
std::optional<Place> placeOf(const std::string& backend);

/// Throws Error (usage) unless ssh can only take this for a host: neither for an option nor for several
/// words.
void requireHost(const std::string& host);

}  // namespace sulcus::app::elsewhere
