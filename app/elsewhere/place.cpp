#include "app/elsewhere/place.h"

#include "core/base/error.h"
#include "core/base/printable.h"

#include <algorithm>

namespace sulcus::app::elsewhere {

void requireHost(const std::string& host) {
  const auto isPlain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string("._-@:%[]").find(c) != std::string::npos;
  };
  if (!host.empty() && host.front() != '-' && host.size() <= 255 &&
      std::all_of(host.begin(), host.end(), isPlain))
    return;
  throw Error("'" + printable(host, 60) + "' is no host", "ssh would not take it for the name of a machine",
              "give a name such as server, me@server.lab.org, or one of ~/.ssh/config", ErrorKind::usage);
}

std::optional<Place> placeOf(const std::string& backend) {
  const std::string prefix = "ssh:";
  if (!backend.starts_with(prefix)) return std::nullopt;
  Place place;
  place.host = backend.substr(prefix.size());
  if (const auto slash = place.host.rfind('/'); slash != std::string::npos) {
    place.backend = place.host.substr(slash + 1);
    place.host.resize(slash);
    if (place.backend != "cpu" && place.backend != "gpu" && place.backend != "both")
      throw Error("'" + printable(place.backend, 60) + "' is nothing to run on at '" +
                      printable(place.host, 60) + "'",
                  "a place is ssh:HOST, ssh:HOST/cpu or ssh:HOST/both", "leave it out to use the GPU there",
                  ErrorKind::usage);
  }
  requireHost(place.host);
  return place;
}

}  // namespace sulcus::app::elsewhere
