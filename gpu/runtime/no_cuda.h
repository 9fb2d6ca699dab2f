#pragma once

// For what stands in for a folder of gpu/ where Sulcus is built without CUDA.

namespace sulcus::gpu {

/// Throws Error (unavailable): there is no GPU to run on.
[[noreturn]] void refuse();

}  // namespace sulcus::gpu
