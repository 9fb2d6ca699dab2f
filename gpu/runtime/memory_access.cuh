#pragma once

// Access to device memory that C++ has no words for. For files compiled by nvcc only.

namespace sulcus::gpu {

/// Four neighboring floats in one access; `at` is aligned to 16 bytes.
__device__ inline float4 loadFour(const float* at) { return *reinterpret_cast<const float4*>(at); }
/// Loads as many floats as the array holds, four at a time.
template <int Count>
__device__ inline void loadFours(const float* at, float (&values)[Count]) {
  static_assert(Count % 4 == 0);
#pragma unroll
  for (int i = 0; i < Count; i += 4) {
    const float4 four = loadFour(at + i);
    values[i] = four.x;
    values[i + 1] = four.y;
    values[i + 2] = four.z;
    values[i + 3] = four.w;
  }
}
/// Four floats from memory that no thread writes while the kernel runs.
__device__ inline float4 loadFourReadOnly(const float* at) {
  return __ldg(reinterpret_cast<const float4*>(at));
}
__device__ inline void storeFour(float* at, const float4& four) { *reinterpret_cast<float4*>(at) = four; }

/// A float as an integer of the same order: i < j as f < g.
__device__ inline int orderedBits(float f) {
  const int bits = __float_as_int(f);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}
/// The float of orderedBits().
__device__ inline float fromOrderedBits(int bits) {
  return __int_as_float(bits ^ ((bits >> 31) & 0x7fffffff));
}

/// Raises a number that is not negative to at least `value`, together with other threads: its bits are
/// ordered as it is.
__device__ inline void atomicRaise(float* number, float value) {
  // Most threads see that they need not.
  if (value > *static_cast<volatile float*>(number))
    atomicMax(reinterpret_cast<int*>(number), __float_as_int(value));
}

}  // namespace sulcus::gpu
