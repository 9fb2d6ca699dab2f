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

[[noreturn]] void refuse(const NrrdHeader& header, const std::string& why) {
  throw Error(quoted(header.fields.file()) + " has no usable gradients", why,
              "correct the header, or give the gradients in a file next to it");
}

/// The largest b-value, which belongs to the longest gradient.
double largestB(const NrrdHeader& header, int volumes) {
  const auto& keys = header.pairs;
  const auto b = keys.find("DWMRI_b-value");
  if (b == keys.end()) refuse(header, "there is no DWMRI_b-value for them");
  const auto gradients = std::count_if(keys.begin(), keys.end(),
                                       [](const auto& pair) { return pair.first.starts_with(kGradient); });
  if (gradients > volumes)
    refuse(header, "there are " + std::to_string(gradients) + " for " + std::to_string(volumes) + " volumes");
  for (const auto& [key, value] : keys)
    if (key.starts_with("DWMRI_NEX_") && numbersIn(value) != std::vector{1.0})
      refuse(header, quotedWord(key) + " says that volumes share a gradient, which is not supported");
  const auto largest = numbersIn(b->second);
  if (largest.size() != 1 || !(largest[0] > 0 && largest[0] < 1e6))
    refuse(header, "its b-value reads " + quotedWord(b->second));
  return largest[0];
}

/// The frame of the gradients: its columns are its axes in the space of the file.
Affine measurementFrame(const NrrdHeader& header) {
  Affine frame;
  if (!header.fields.has("measurement frame")) return frame;
  const auto axes = nrrdVectors(header.fields, "measurement frame", 3);
  if (axes.size() != 3)
    refuse(header, "its measurement frame has " + counted(axes.size(), "vector") + " instead of 3");
  for (int axis = 0; axis < 3; ++axis)
    for (int world = 0; world < 3; ++world)
      frame.m[world][axis] = axes[std::size_t(axis)] ? (*axes[std::size_t(axis)])[std::size_t(world)] : 0;
  double lengths = 1;
  for (int axis = 0; axis < 3; ++axis) lengths *= norm(frame.column(axis));
  if (!(std::abs(frame.determinant()) > 1e-6 * lengths))
    refuse(header, "the axes of its measurement frame lie in a plane");
  return frame;
}

Vec3<double> gradientOf(const NrrdHeader& header, int volume, int volumes) {
  char key[32];
  std::snprintf(key, sizeof key, "DWMRI_gradient_%04d", volume);
  const auto found = header.pairs.find(key);
  if (found == header.pairs.end())
    refuse(header,
           std::string("there is no ") + key + " for one of its " + std::to_string(volumes) + " volumes");
  const auto g = numbersIn(found->second);
  if (g.size() != 3)
    refuse(header, std::string(key) + " reads " + quotedWord(found->second) + " instead of 3 numbers");
  const Vec3<double> gradient{g[0], g[1], g[2]};
  if (!std::isfinite(norm(gradient))) refuse(header, std::string(key) + " is not finite");
  return gradient;
}

}  // namespace

GradientTable nrrdGradients(const NrrdHeader& header, int volumes) {
  const auto isOfDiffusion = [](const auto& pair) {
    return pair.first == "DWMRI_b-value" || pair.first.starts_with(kGradient);
  };
  if (std::ranges::none_of(header.pairs, isOfDiffusion)) return {};
  const double largest = largestB(header, volumes);
  const Affine frame = measurementFrame(header);
  const NrrdSpace space = nrrdSpace(header.fields);

  GradientTable table;
  double longest = 0;
  for (int v = 0; v < volumes; ++v) {
    const Vec3<double> gradient = gradientOf(header, v, volumes);
    Vec3<double> world = frame.vector(gradient);
    world.x *= space.right;
    world.y *= space.front;
    if (!std::isfinite(norm(world)))
      refuse(header,
             "the gradient of volume " + std::to_string(v) + " is not finite in its measurement frame");
    longest = std::max(longest, norm(gradient));
    table.rows.push_back({norm(gradient), world});
  }
  if (longest == 0) refuse(header, "all its gradients are 0");
  // The length of a gradient gives its share of the largest b-value, b ∝ |g|².
  for (auto& row : table.rows) {
    const double share = row.b / longest, length = norm(row.directionWorld);
    row.b = largest * share * share;
    row.directionWorld = length > 0 ? (1 / length) * row.directionWorld : Vec3<double>{};
  }
  table.source = "the NRRD header of " + header.fields.file().filename().string() +
                 (header.fields.has("measurement frame")
                      ? " (measurement frame applied)"
                      : " (it gives no measurement frame: taken along the axes of its space)");
  return table;
}

}  // namespace sulcus::io
