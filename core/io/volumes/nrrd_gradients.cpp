#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/volumes/nrrd_header.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

// The diffusion weighting in NRRD by the convention of NA-MIC: "DWMRI_b-value:=1000", and
// "DWMRI_gradient_0000:= x y z" in the frame that "measurement frame: (…) (…) (…)" gives in the axes of
// "space: …".
namespace sulcus::io {
namespace {

constexpr std::string_view kGradient = "DWMRI_gradient_";

/// The numbers of a text; none if it contains anything else.
std::vector<double> numbersIn(const std::string& text) {
  std::vector<double> numbers;
  for (const auto word : wordsOf(text)) {
    const auto value = numberOf(word);
    if (!value) return {};
    numbers.push_back(*value);
  }
  return numbers;
}

}  // namespace

GradientTable nrrdGradients(const NrrdHeader& header, int volumes) {
  const auto& keys = header.pairs;
  const std::filesystem::path& file = header.fields.file();
  const auto b = keys.find("DWMRI_b-value");
  const auto gradients = std::count_if(keys.begin(), keys.end(),
                                       [](const auto& pair) { return pair.first.starts_with(kGradient); });
  if (b == keys.end() && gradients == 0) return {};
  const auto refuse = [&](const std::string& why) {
    throw Error(quoted(file) + " has no usable gradients", why,
                "correct the header, or give the gradients in a file next to it");
  };
  if (b == keys.end()) refuse("there is no DWMRI_b-value for them");
  if (gradients > volumes)
    refuse("there are " + std::to_string(gradients) + " for " + std::to_string(volumes) + " volumes");
  for (const auto& [key, value] : keys)
    if (key.starts_with("DWMRI_NEX_") && numbersIn(value) != std::vector{1.0})
      refuse(quotedWord(key) + " says that volumes share a gradient, which is not supported");
  const auto largest = numbersIn(b->second);
  if (largest.size() != 1 || !(largest[0] > 0 && largest[0] < 1e6))
    refuse("its b-value reads " + quotedWord(b->second));

  // The columns of the frame are its axes in the space of the file.
  Affine frame;
  if (header.fields.has("measurement frame")) {
    const auto axes = nrrdVectors(header.fields, "measurement frame", 3);
    if (axes.size() != 3)
      refuse("its measurement frame has " + counted(axes.size(), "vector") + " instead of 3");
    for (int axis = 0; axis < 3; ++axis)
      for (int world = 0; world < 3; ++world)
        frame.m[world][axis] = axes[std::size_t(axis)] ? (*axes[std::size_t(axis)])[std::size_t(world)] : 0;
    double lengths = 1;
    for (int axis = 0; axis < 3; ++axis) lengths *= norm(frame.column(axis));
    if (!(std::abs(frame.determinant()) > 1e-6 * lengths))
      refuse("the axes of its measurement frame lie in a plane");
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
      refuse(std::string(key) + " reads " + quotedWord(found->second) + " instead of 3 numbers");
    Vec3<double> world = frame.vector({g[0], g[1], g[2]});
    world.x *= space.right, world.y *= space.front;
    const double length = norm(Vec3<double>{g[0], g[1], g[2]});
    if (!std::isfinite(length) || !std::isfinite(norm(world))) refuse(std::string(key) + " is not finite");
    longest = std::max(longest, length);
    table.rows.push_back({length, world});
  }
  if (longest == 0) refuse("all its gradients are 0");
  // The length of a gradient gives its share of the largest b-value, b ∝ |g|².
  for (auto& row : table.rows) {
    const double share = row.b / longest, length = norm(row.directionWorld);
    row.b = largest[0] * share * share;
    row.directionWorld = length > 0 ? (1 / length) * row.directionWorld : Vec3<double>{};
  }
  table.source = "the NRRD header of " + file.filename().string() +
                 (header.fields.has("measurement frame")
                      ? " (measurement frame applied)"
                      : " (it gives no measurement frame: taken along the axes of its space)");
  return table;
}

}  // namespace sulcus::io
