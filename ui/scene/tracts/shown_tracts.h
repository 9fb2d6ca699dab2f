#pragma once

#include "core/image/tracts/tract_regions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui::scene {

/// What is seen of a layer of tracts besides its lines: those that were chosen by hand, and by which regions.
struct ShownTracts {
  /// Lines in a color of their own.
  struct Part {
    std::shared_ptr<const std::vector<std::uint32_t>> lines;
    std::uint64_t points = 0;  ///< that these have
    int color = 0;             ///< as surfaceColor(); −1: as the layer's lines are colored
  };

  std::shared_ptr<const TractIndex> index;  ///< null until it is built
  std::optional<std::vector<Part>> parts;   ///< shown instead of all lines
  std::vector<TractRegion> regions;         ///< of the bundle in hand
  int region = -1;                          ///< which of them is in hand
  bool moves = false;                       ///< a region is dragged: the picture has to be quick
};

}  // namespace sulcus::ui::scene
