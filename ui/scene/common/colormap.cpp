#include "ui/scene/common/colormap.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sulcus::ui::scene {
namespace {

// Control points 0xRRGGBB, evenly spaced, interpolated linearly in sRGB. viridis, magma, inferno: van der
// Walt & Smith 2015 (CC0), every eighth of their 256 colors.
constexpr std::uint32_t viridis[] = {0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086,
                                     0x3e4989, 0x3b528b, 0x375b8d, 0x33638d, 0x2f6b8e, 0x2c728e, 0x297a8e,
                                     0x26828e, 0x23898e, 0x21918c, 0x1f988b, 0x1fa088, 0x22a785, 0x28ae80,
                                     0x32b67a, 0x3fbc73, 0x4ec36b, 0x5ec962, 0x70cf57, 0x84d44b, 0x98d83e,
                                     0xaddc30, 0xc2df23, 0xd8e219, 0xece51b, 0xfde725};
constexpr std::uint32_t magma[] = {0x000004, 0x030312, 0x0a0822, 0x130d34, 0x1d1147, 0x29115a, 0x36106b,
                                   0x440f76, 0x51127c, 0x5d177f, 0x6a1c81, 0x762181, 0x832681, 0x902a81,
                                   0x9c2e7f, 0xaa337d, 0xb73779, 0xc43c75, 0xd0416f, 0xdc4869, 0xe75263,
                                   0xef5d5e, 0xf56b5c, 0xf9795d, 0xfc8961, 0xfd9869, 0xfea772, 0xfeb67c,
                                   0xfec488, 0xfed395, 0xfde2a3, 0xfcf0b2, 0xfcfdbf};
constexpr std::uint32_t inferno[] = {0x000004, 0x040312, 0x0b0724, 0x150b37, 0x210c4a, 0x2f0a5b, 0x3d0965,
                                     0x4a0c6b, 0x57106e, 0x64156e, 0x71196e, 0x7d1e6d, 0x8a226a, 0x972766,
                                     0xa32c61, 0xb0315b, 0xbc3754, 0xc73e4c, 0xd24644, 0xdb503b, 0xe45a31,
                                     0xeb6628, 0xf1731d, 0xf68013, 0xf98e09, 0xfb9d07, 0xfcac11, 0xfbbc21,
                                     0xf9cb35, 0xf5db4c, 0xf2ea69, 0xf3f68a, 0xfcffa4};
// Moreland 2009, diverging "cool to warm", through its Msh midpoint.
constexpr std::uint32_t coolWarm[] = {0x3b4cc0, 0x5977e3, 0x7b9ff9, 0x9ebeff, 0xc0d4f5, 0xdddcdc,
                                      0xf2cbb7, 0xf7ac8e, 0xee8468, 0xd65244, 0xb40426};
constexpr std::uint32_t gray[] = {0x000000, 0xffffff};
constexpr std::uint32_t hot[] = {0x0a0000, 0xff0000, 0xffff00, 0xffffff};
constexpr std::uint32_t redYellow[] = {0xff0000, 0xffff00};
constexpr std::uint32_t blueLightBlue[] = {0x0000ff, 0x00ffff};
constexpr std::uint32_t redRange[] = {0x500000, 0xff2020, 0xffd0d0};
// Brewer's YlOrRd: bright throughout, for lines on dark images.
constexpr std::uint32_t yellowRed[] = {0xffffcc, 0xffeda0, 0xfed976, 0xfeb24c,
                                       0xfd8d3c, 0xfc4e2a, 0xe31a1c, 0xbd0026};
constexpr std::uint32_t greenRange[] = {0x003c00, 0x2ca02c, 0xc8ffc8};
// Negative values in blue, positive ones from red to yellow, as is usual for statistics; dark in the middle.
constexpr std::uint32_t heatCool[] = {0x00ffff, 0x0000ff, 0x00003c, 0x000000, 0x3c0000, 0xff0000, 0xffff00};

struct Entry {
  const char* name;
  std::span<const std::uint32_t> points;
};
constexpr Entry entries[] = {
    {"gray", gray},
    {"viridis", viridis},
    {"magma", magma},
    {"inferno", inferno},
    {"hot", hot},
    {"cool-warm", coolWarm},
    {"heat", redYellow},
    {"blue-lightblue", blueLightBlue},
    {"heat-cool", heatCool},
    {"green", greenRange},
    {"red", redRange},
    {"yellow-red", yellowRed},
};

constexpr Rgb rgbOf(std::uint32_t hex) {
  return {std::uint8_t(hex >> 16), std::uint8_t(hex >> 8 & 255), std::uint8_t(hex & 255)};
}

// Okabe & Ito 2008 first (distinguishable with any color vision), then more with the same range of lightness.
constexpr std::uint32_t palette[] = {0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7,
                                     0x999933, 0x882255, 0x44aa99, 0xddcc77, 0xaa4499, 0x88ccee, 0x117733};

// The bright colors of Okabe & Ito.
constexpr std::uint32_t surfacePalette[] = {0xe69f00, 0x56b4e9, 0xf0e442, 0x2fbf93, 0xcc79a7, 0xd55e00};

}  // namespace

std::vector<std::string> colormapNames() {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

std::array<Rgba, 256> colormapTable(const std::string& name) {
  const Entry* entry =
      std::find_if(std::begin(entries), std::end(entries), [&](const Entry& e) { return e.name == name; });
  std::vector<Rgba> points = colorStops(name);
  if (points.empty())
    for (const std::uint32_t point : entry == std::end(entries) ? entries[0].points : entry->points) {
      const Rgb color = rgbOf(point);
      points.push_back({color[0], color[1], color[2], 255});
    }
  std::array<Rgba, 256> table;
  for (int i = 0; i < 256; ++i) {
    const double position = i / 255.0 * double(points.size() - 1);
    const std::size_t left = std::min(std::size_t(position), points.size() - 2);
    const double share = position - double(left);
    const Rgba &a = points[left], &b = points[left + 1];
    for (int c = 0; c < 4; ++c)
      table[std::size_t(i)][c] = std::uint8_t(std::lround(a[c] + share * (b[c] - a[c])));
  }
  return table;
}

Rgb labelColor(Label label, const LabelTable* names) {
  if (names)
    if (const auto entry = names->find(label); entry != names->end() && entry->second.color)
      return *entry->second.color;
  const auto index = std::uint32_t(label) - 1u;
  if (index < std::size(palette)) return rgbOf(palette[index]);
  // Further hues are the golden angle apart, so that the next one is far from all recent ones; none is dark.
  constexpr double kGolden = 0.6180339887498949;
  const double hue = std::fmod(index * kGolden, 1);
  const double value = index % 2 == 0 ? 0.95 : 0.75;
  const double saturation = index % 3 == 0 ? 0.5 : 0.8;
  Rgb color{};
  for (int c = 0; c < 3; ++c) {
    const double away = std::abs(std::remainder(hue - c / 3.0, 1)) * 6;  // from red, green or blue
    const double part = std::clamp(2 - away, 0.0, 1.0);
    color[std::size_t(c)] = std::uint8_t(std::lround(255 * value * (1 - saturation * (1 - part))));
  }
  return color;
}

Rgb surfaceColor(int index) { return rgbOf(surfacePalette[std::size_t(index) % std::size(surfacePalette)]); }

}  // namespace sulcus::ui::scene
