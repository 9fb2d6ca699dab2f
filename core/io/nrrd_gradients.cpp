#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/formats.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

// Diffusion in NRRD (na-mic convention): "DWMRI_b-value:=1000", "DWMRI_gradient_0000:= x y z" in the frame
// that "measurement frame: (…) (…) (…)" gives in the axes of "space: …".
namespace sulcus::io {
namespace {

constexpr std::size_t kLongestHeader = 4'000'000;

/// Lines up to the first empty one, as key → value; both "key: value" and "key:=value".
std::map<std::string, std::string> headerOf(const std::filesystem::path& file) {
  ByteSource source(file);
  std::string text;
  std::vector<char> chunk(1 << 14);
  while (text.find("\n\n") == text.npos && text.find("\n\r\n") == text.npos && text.size() < kLongestHeader) {
    const std::size_t got = source.readSome(chunk);
    if (got == 0) break;
    text.append(chunk.data(), got);
  }
  std::map<std::string, std::string> keys;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) break;
    const auto colon = line.find(':');
    if (line[0] == '#' || colon == line.npos) continue;
    const auto value = line.find_first_not_of("= \t", colon + 1);
    keys[line.substr(0, colon)] = value == line.npos ? "" : line.substr(value);
  }
  return keys;
}

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

GradientTable readNrrdGradients(const std::filesystem::path& file, int volumes) {
  const auto keys = headerOf(file);
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
  if (const auto given = keys.find("measurement frame"); given != keys.end()) {
    const auto entries = numbersIn(given->second);
    if (entries.size() != 9)
      refuse("its measurement frame has " + std::to_string(entries.size()) + " numbers instead of 9");
    for (int axis = 0; axis < 3; ++axis)
      for (int world = 0; world < 3; ++world) frame.m[world][axis] = entries[std::size_t(3 * axis + world)];
  }
  std::string space = "left-posterior-superior";
  if (const auto given = keys.find("space"); given != keys.end()) space = given->second;
  std::transform(space.begin(), space.end(), space.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  const bool left = space.rfind("left", 0) == 0 || space.rfind("l", 0) == 0;
  const bool posterior = space.find("posterior") != space.npos || space.rfind("lps", 0) == 0;

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
    if (left) world.x = -world.x;
    if (posterior) world.y = -world.y;
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
