#pragma once

#include "core/image/scan_timing.h"

#include <filesystem>

namespace sulcus::io {

/// What the sidecars of a series say about the times of its volumes: its own and, by the inheritance rule of
/// BIDS, those in folders above, of which the nearest has each key. A file that cannot be read says nothing.
ScanTiming readScanTiming(const std::filesystem::path& scan);

}  // namespace sulcus::io
