#pragma once

#include "core/image/scan_timing.h"

#include <filesystem>
#include <span>

namespace sulcus::io {

/// What sidecars of a series say about the times of its volumes. Each key is that of the first file that says
/// something by it. A file that cannot be read says nothing.
ScanTiming timingIn(std::span<const std::filesystem::path> sidecars);

/// The timing by its own sidecar and, by the inheritance rule of BIDS, those in folders above, the nearest
/// first, then those of the scan that a derivative was made of, where it lies in DATA SET/derivatives/NAME.
/// Slices whose times were corrected have none.
ScanTiming readScanTiming(const std::filesystem::path& scan);

}  // namespace sulcus::io
