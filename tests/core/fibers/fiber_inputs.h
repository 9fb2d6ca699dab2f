#pragma once

#include "core/fibers/fibers.h"
#include "core/phantom/fibers_phantom.h"

#include <algorithm>

namespace sulcus::test {

inline fibers::FiberInput inputOf(const phantom::FibersPhantom& phantom) {
  return {phantom.dwi, phantom.gradients, nullptr, nullptr, phantom.mask};
}

/// The phantom with default options, which has noise.
inline const phantom::FibersPhantom& noisyPhantom() {
  static const auto phantom = phantom::makeFibersPhantom({});
  return phantom;
}

inline fibers::FiberOptions optionsFor(fibers::FiberModel model, int order = 0) {
  fibers::FiberOptions options;
  options.model = model, options.order = order;
  return options;
}

/// The phantom with only its first weighted volumes.
inline fibers::FiberInput withFewerVolumes(int weighted) {
  const auto& phantom = noisyPhantom();
  auto dwi = std::make_shared<Series<float>>(phantom.dwi->grid, 6 + weighted);
  std::copy_n(phantom.dwi->values.begin(), dwi->values.size(), dwi->values.begin());
  fibers::FiberInput input = inputOf(phantom);
  input.dwi = dwi;
  input.gradients.rows.resize(std::size_t(6 + weighted));
  return input;
}

}  // namespace sulcus::test
