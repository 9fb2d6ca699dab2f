#pragma once

#include "core/fibers/fibers.h"
#include "core/phantom/fibers_phantom.h"

#include <algorithm>

namespace sulcus::test {

inline FiberInput inputOf(const FibersPhantom& phantom) {
  return {phantom.dwi, phantom.gradients, nullptr, nullptr, phantom.mask};
}

/// Of default options.
inline const FibersPhantom& noisyPhantom() {
  static const auto phantom = makeFibersPhantom({});
  return phantom;
}

inline FiberOptions optionsFor(FiberModel model, int order = 0) {
  FiberOptions options;
  options.model = model, options.order = order;
  return options;
}

/// The phantom with its first weighted volumes only.
inline FiberInput withFewerVolumes(int weighted) {
  const auto& phantom = noisyPhantom();
  auto dwi = std::make_shared<Series<float>>(phantom.dwi->grid, 6 + weighted);
  std::copy_n(phantom.dwi->values.begin(), dwi->values.size(), dwi->values.begin());
  FiberInput input = inputOf(phantom);
  input.dwi = dwi;
  input.gradients.rows.resize(std::size_t(6 + weighted));
  return input;
}

}  // namespace sulcus::test
