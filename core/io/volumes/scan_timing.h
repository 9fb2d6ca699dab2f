#pragma once

#include "core/image/scan_timing.h"

#include <filesystem>
#include <span>

namespace sulcus::io {

/// The timing of a series by its sidecars. Each key is taken from the first file that states it. Unreadable
/// files are ignored.
ScanTiming timingIn(std::span<const std::filesystem::path> sidecars);

/// The timing of a scan by its own sidecar, then those in higher folders by the inheritance rule of BIDS,
/// nearest first, then those of the scan from which a derivative in DATA SET/derivatives/NAME was made.
/// Slices that are already time-corrected have no timing.
ScanTiming readScanTiming(const std::filesystem::path& scan);

}  // namespace sulcus::io
