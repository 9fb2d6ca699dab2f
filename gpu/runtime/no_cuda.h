#pragma once

// For the replacements of folders of gpu/ in builds without CUDA.

namespace sulcus::gpu {

/// Throws Error (unavailable): there is no GPU to run on.
[[noreturn]] void refuse();

}  // namespace sulcus::gpu
