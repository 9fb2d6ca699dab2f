#pragma once

#include "ui/model/layers/layer_stack.h"

#include <string>
#include <vector>

namespace sulcus::ui::model {

/// What to deform or move, and by which transforms.
struct FieldApplication {
  struct Transform {
    LayerId layer = 0;     ///< a displacement or a linear transform
    bool inverse = false;  ///< apply the inverse
  };
  std::vector<Transform> transforms;  ///< in the order in which an image goes through them
  LayerId layer = 0;
  LayerId like = 0;  ///< 0: the grid of the last transform
  std::string interpolation = "auto", fill = "auto";
};

}  // namespace sulcus::ui::model
