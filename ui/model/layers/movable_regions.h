#pragma once

#include "core/image/tracts/bundle.h"
#include "ui/model/layers/layer_stack.h"

#include <vector>

namespace sulcus::ui::model {

/// Regions that a hand moves in the views.
class MovableRegions {
 public:
  virtual ~MovableRegions() = default;
  /// The layer that shows them; 0: none.
  virtual LayerId regionsLayer() const = 0;
  /// Those that can be moved now.
  virtual const std::vector<TractRegion>& regions() const = 0;
  virtual void takeRegion(int region) = 0;
  /// Moves or changes a region. `done`: it is let go of, so that undo takes it back.
  virtual void changeRegion(int region, const TractRegion& changed, bool done) = 0;
};

}  // namespace sulcus::ui::model
