#include "core/io/volumes/phase_encoding.h"

#include "core/io/companions.h"
#include "core/io/streams/file_json.h"

#include <cmath>
#include <utility>

namespace sulcus::io {
namespace {

/// The first value of a key in sidecars that has the right type.
template <class T>
T firstOf(const std::vector<nlohmann::ordered_json>& sidecars, const char* key,
          bool (nlohmann::ordered_json::*isKind)() const noexcept) {
  for (const auto& json : sidecars)
    if (const auto found = json.find(key); found != json.end() && ((*found).*isKind)())
      return found->get<T>();
  return {};
}

}  // namespace

DistortionMetadata readDistortionMetadata(const std::filesystem::path& scan, const Vec3<int>& size) {
  using Json = nlohmann::ordered_json;
  std::vector<Json> sidecars;
  DistortionMetadata metadata;
  for (const auto& file : sidecarsOf(scan)) {
    CompanionJson json = openCompanionJson(file);
    if (json.object.empty() && metadata.fault.empty()) metadata.fault = std::move(json.warning);
    sidecars.push_back(std::move(json.object));
  }
  metadata.units = firstOf<std::string>(sidecars, "Units", &Json::is_string);
  const std::string& direction = metadata.direction =
      firstOf<std::string>(sidecars, "PhaseEncodingDirection", &Json::is_string);
  const bool isDirection = (direction.size() == 1 || (direction.size() == 2 && direction[1] == '-')) &&
                           direction[0] >= 'i' && direction[0] <= 'k';
  if (!isDirection) return metadata;
  PhaseEncoding encoding{direction[0] - 'i', direction.size() == 2 ? -1 : 1, 0};
  metadata.axis = encoding.axis;
  encoding.readoutTime = firstOf<double>(sidecars, "TotalReadoutTime", &Json::is_number);
  if (!(encoding.readoutTime > 0))
    encoding.readoutTime =
        firstOf<double>(sidecars, "EffectiveEchoSpacing", &Json::is_number) * (size[encoding.axis] - 1);
  if (encoding.readoutTime > 0 && std::isfinite(encoding.readoutTime)) metadata.encoding = encoding;
  return metadata;
}

}  // namespace sulcus::io
