#include "app/remote/remote_target.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"

#include <algorithm>

namespace sulcus::app::remote {
namespace {

/// Whether a text has only letters, digits and these characters, and does not begin like an option.
bool isPlain(const std::string& text, const std::string& others) {
  return !text.empty() && text.front() != '-' && text.size() <= 255 &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  others.find(c) != std::string::npos;
         });
}

/// Removes the part before the first slash from a text and returns it.
std::string takePart(std::string& text) {
  const std::string part = text.substr(0, text.find('/'));
  text.erase(0, part.size() + 1);
  return part;
}

}  // namespace

void requireHost(const std::string& host) {
  if (isPlain(host, "._-@:%[]")) return;
  throw Error(inQuotes(host) + " is not a host", "ssh would not accept it as the name of a machine",
              "give a name such as server, me@server.lab.org, or one of ~/.ssh/config", ErrorKind::usage);
}

std::optional<RemoteTarget> remoteTargetOf(const std::string& backend) {
  RemoteTarget place;
  if (backend.starts_with("slurm:"))
    place.kind = RemoteTarget::Kind::slurm;
  else if (!backend.starts_with("ssh:"))
    return std::nullopt;
  std::string rest = backend.substr(backend.find(':') + 1);
  place.host = takePart(rest);
  requireHost(place.host);
  if (rest.empty()) return place;
  place.backend = takePart(rest);
  place.partition = rest;
  const bool isBackend = place.backend == "cpu" || place.backend == "gpu" || place.backend == "both";
  const std::string at = " at " + inQuotes(place.host);
  if (!isBackend)
    throw Error(inQuotes(place.backend) + " is not a backend" + at,
                "a place is " + place.name() + ", " + place.name() + "/cpu or " + place.name() + "/both",
                "leave it out to use the GPU there", ErrorKind::usage);
  if (!rest.empty() && !(place.isSlurm() && isPlain(rest, "._-,")))
    throw Error(inQuotes(rest) + " is not a partition" + at,
                place.isSlurm() ? "Slurm would not accept it as a name" : "only Slurm has them",
                "give slurm:HOST/gpu/NAME, as sinfo names it, or leave it out", ErrorKind::usage);
  return place;
}

}  // namespace sulcus::app::remote
