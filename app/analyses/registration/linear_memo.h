#pragma once

#include "core/base/memory/memo.h"
#include "core/registration/registration.h"

#include <optional>

namespace sulcus::app::analyses {

/// What a pre-alignment depends on.
struct LinearKey {
  Identity templateImage, reference;
  Identity mask;  ///< of what it was made from: the mask itself is recreated for each run
  registration::LinearOptions options = registration::LinearAlignment::none;
  std::optional<Affine> initial;
  Identity templateMask = {}, lesion = {};  ///< likewise
  friend bool operator==(const LinearKey&, const LinearKey&) = default;
};

/// Keeps the last pre-alignment (template from reference), so that the second backend, or another λ, does not
/// align the same images again.
using LinearMemo = Memo<LinearKey, Affine>;

}  // namespace sulcus::app::analyses
