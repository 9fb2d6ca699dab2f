#pragma once

/// Marks a function that both the host compiler and nvcc may call.
#ifdef __CUDACC__
#define SULCUS_HD __host__ __device__
#else
#define SULCUS_HD
#endif
