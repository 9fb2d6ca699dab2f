#pragma once

#include "core/base/memo.h"
#include "core/registration/registration.h"

#include <optional>

namespace sulcus::app::analyses {

/// What a pre-alignment depends on.
struct PrealignKey {
  Identity templateImage, reference;
  Identity mask;  ///< of what it was made of: the mask itself is made anew for each run
  registration::PrealignOptions options = registration::Prealignment::none;
  std::optional<Affine> initial;
  Identity templateMask = {}, lesion = {};  ///< likewise
  friend bool operator==(const PrealignKey&, const PrealignKey&) = default;
};

/// Keeps the last pre-alignment (template from reference), so that the second backend, or another λ, does not
/// align the same images again.
using PrealignMemo = Memo<PrealignKey, Affine>;

}  // namespace sulcus::app::analyses
