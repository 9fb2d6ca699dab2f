#include "ui/scene/common/colormap.h"

#include "core/image/layer.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

/// CIE L* of an sRGB color, 0…100.
double lightness(const Rgba& color) {
  const auto linear = [](std::uint8_t v) {
    const double c = v / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(Colormaps, HaveTheDefaultOfANewLayer) {
  const auto names = colormapNames();
  EXPECT_EQ(std::count(names.begin(), names.end(), Display{}.colormap), 1);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(Colormaps, DifferFromEachOther) {
  std::set<std::array<Rgba, 256>> tables;
  for (const auto& name : colormapNames()) tables.insert(colormapTable(name));
  EXPECT_EQ(tables.size(), colormapNames().size());
  EXPECT_EQ(colormapTable("no such map"), colormapTable("gray"));
}

TEST(Colormaps, OfOneSidedValuesGrowLighterAllTheWay) {
  for (const char* name : {"gray", "viridis", "magma", "inferno", "hot", "heat"}) {
    const auto table = colormapTable(name);
    for (std::size_t i = 1; i < 256; ++i)
      EXPECT_GE(lightness(table[i]), lightness(table[i - 1]) - 0.8) << name << ' ' << i;
    EXPECT_GT(lightness(table[255]) - lightness(table[0]), 40) << name;
  }
}

TEST(Colormaps, PerceptuallyUniformOnesRiseEvenly) {
  for (const char* name : {"viridis", "magma", "inferno"}) {
    const auto table = colormapTable(name);
    const double rise = (lightness(table[255]) - lightness(table[0])) / 8;
    for (std::size_t i = 0; i < 8; ++i) {
      const double part =
          lightness(table[std::min<std::size_t>(255, 32 * (i + 1))]) - lightness(table[32 * i]);
      EXPECT_NEAR(part, rise, 0.35 * rise) << name << ' ' << i;
    }
  }
}

TEST(Colormaps, OfTwoSidedValuesDistinguishTheSides) {
  for (const char* name : {"cool-warm", "heat-cool"}) {
    const auto table = colormapTable(name);
    EXPECT_GT(table[30][2], table[30][0]) << name;
    EXPECT_GT(table[225][0], table[225][2]) << name;
  }
}

TEST(Colormaps, OfOnesOwnAreJoinedByStraightLines) {
  const auto table = colormapTable("#000000 #ff0000 #ffff00");
  EXPECT_EQ(table[0], (Rgba{0, 0, 0, 255}));
  EXPECT_EQ(table[255], (Rgba{255, 255, 0, 255}));
  EXPECT_EQ(table[51][0], 102) << "two fifths of the way to the middle";
  EXPECT_EQ(table[51][1], 0);
  EXPECT_EQ(colormapTable("#000000 #nocolo"), colormapTable("gray"));
  EXPECT_EQ(colormapTable("#ff000000 #ff0000")[51], (Rgba{255, 0, 0, 51})) << "opacity by value";
}

TEST(LabelColors, DifferForTheFirstForty) {
  std::set<Rgb> colors;
  for (int label = 1; label <= 40; ++label) colors.insert(labelColor(label));
  EXPECT_EQ(colors.size(), 40u);
}

TEST(LabelColors, OfLargeNumbersDifferAndAreBright) {
  const Rgb some[] = {labelColor(50), labelColor(100), labelColor(200), labelColor(1000)};
  for (const Rgb& one : some) {
    EXPECT_GT(std::max({one[0], one[1], one[2]}), 180);
    for (const Rgb& other : some) {
      int apart = 0;
      for (std::size_t c = 0; c < 3; ++c) apart += std::abs(int(one[c]) - int(other[c]));
      if (&one != &other) {
        EXPECT_GT(apart, 100);
      }
    }
  }
}

}  // namespace
}  // namespace sulcus::ui::scene
