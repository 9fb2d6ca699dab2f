#pragma once

namespace sulcus {

/// Basis of a spherical-harmonic image; see core/image/diffusion/spherical_harmonics.h.
enum class ShBasis { tournier07, descoteaux07, descoteaux07Legacy, tournier07Legacy };

}  // namespace sulcus
