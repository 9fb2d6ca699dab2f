#include "core/base/error.h"
#include "core/io/nrrd_header.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

// Diffusion in NRRD (na-mic convention): "DWMRI_b-value:=1000", "DWMRI_gradient_0000:= x y z" in the frame
// that "measurement frame: (…) (…) (…)" gives in the axes of "space: …".
namespace sulcus::io {
namespace {

/// All numbers in a text, whatever stands between them.
std::vector<double> numbersIn(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    double value = 0;
    const auto [stop, fault] = std::from_chars(at, end, value);
    if (fault == std::errc()) numbers.push_back(value);
    at = fault == std::errc() ? stop : at + 1;
  }
  return numbers;
}

}  // namespace

GradientTable nrrdGradients(const NrrdHeader& header, int volumes) {
  const auto& keys = header.pairs;
  const std::filesystem::path& file = header.fields.file();
  const auto b = keys.find("DWMRI_b-value");
  if (b == keys.end()) return {};
  const auto refuse = [&](const std::string& why) {
    throw Error(quoted(file) + " has no usable gradients", why,
                "correct the header, or give the gradients in a file beside it");
  };
  const auto largest = numbersIn(b->second);
  if (largest.size() != 1 || !(largest[0] > 0 && largest[0] < 1e6))
    refuse("its b-value reads '" + b->second.substr(0, 20) + "'");

  // Frame of the gradients: columns are its axes in the space of the file.
  Affine frame;
  if (header.fields.has("measurement frame")) {
    const auto entries = numbersIn(header.fields.text("measurement frame"));
    if (entries.size() != 9)
      refuse("its measurement frame has " + std::to_string(entries.size()) + " numbers instead of 9");
    for (int axis = 0; axis < 3; ++axis)
      for (int world = 0; world < 3; ++world) frame.m[world][axis] = entries[std::size_t(3 * axis + world)];
  }
  const NrrdSpace space = nrrdSpace(header.fields);

  GradientTable table;
  double longest = 0;
  for (int v = 0; v < volumes; ++v) {
    char key[32];
    std::snprintf(key, sizeof key, "DWMRI_gradient_%04d", v);
    const auto found = keys.find(key);
    if (found == keys.end())
      refuse(std::string("there is no ") + key + " for one of its " + std::to_string(volumes) + " volumes");
    const auto g = numbersIn(found->second);
    if (g.size() != 3)
      refuse(std::string(key) + " has " + std::to_string(g.size()) + " numbers instead of 3");
    Vec3<double> world = frame.vector({g[0], g[1], g[2]});
    world.x *= space.right, world.y *= space.front;
    const double length = norm(Vec3<double>{g[0], g[1], g[2]});
    if (!std::isfinite(length) || !std::isfinite(norm(world))) refuse(std::string(key) + " is not finite");
    longest = std::max(longest, length);
    table.rows.push_back({length, world});
  }
  if (longest == 0) refuse("all its gradients are 0");
  // The length of a gradient says its share of the largest b-value: b ∝ |g|².
  for (auto& row : table.rows) {
    const double share = row.b / longest, length = norm(row.directionWorld);
    row.b = largest[0] * share * share;
    row.directionWorld = length > 0 ? (1 / length) * row.directionWorld : Vec3<double>{};
  }
  table.source = "the NRRD header of " + file.filename().string() + " (measurement frame applied)";
  return table;
}

}  // namespace sulcus::io
