#pragma once

#include "core/image/display/tract_coloring.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/layer_colors.h"

#include <cstdint>
#include <vector>

namespace sulcus::ui::scene {

/// Colors the points of lines.
class TractPainter {
 public:
  /// @param colors  of data, or of the image that colors the lines where `layer` has one
  TractPainter(const SceneLayer& layer, const LayerColors& colors);

  /// The colors of the points from `begin` to `end` of a line, four bytes each.
  ///
  /// @param part  the color of the bundle that it belongs to; −1: none
  void paint(std::uint32_t line, std::uint64_t begin, std::uint64_t end, int part, unsigned char* rgba) const;

 private:
  Rgba colorOf(float value) const;
  void paintByImage(std::uint64_t begin, std::uint64_t end, unsigned char* rgba) const;
  /// The way from the point before to the one behind, as red, green and blue of left, front and top.
  void paintByDirection(std::uint32_t line, std::uint64_t begin, std::uint64_t end,
                        unsigned char* rgba) const;

  const Tracts& tracts_;
  const LayerColors& colors_;
  std::optional<TractColoring> coloring_;
  std::vector<std::uint8_t> groupOf_;  ///< of each line, from 1; 0: none
  int plain_ = 0;
  std::shared_ptr<const Series<float>> image_;
  int imageVolume_ = 0;
};

}  // namespace sulcus::ui::scene
