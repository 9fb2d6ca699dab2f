#include "gpu/runtime/device.h"
#include "gpu/surface/block_search.cuh"

#include <algorithm>

namespace sulcus::gpu::surface {
using namespace sulcus::surface;
inline namespace search_kernels {

constexpr std::int64_t kManyPositions = 50000;  // below this, smaller blocks of rows distribute the work
                                                // better

/// Blocks at once on a multiprocessor.
template <int Steps, int SubTiles>
constexpr int kSearchBlocks = Steps <= 4 && SubTiles <= 2 ? 5 : 2;

template <int Steps, int SubTiles>
__global__ void __launch_bounds__(BlockSearch<Steps, SubTiles>::kThreads, kSearchBlocks<Steps, SubTiles>)
    searchBlock(const __grid_constant__ SearchJob job, std::int64_t first, int mergers) {
  using Search = BlockSearch<Steps, SubTiles>;
  constexpr int rows = Search::kRows;
  __shared__ RowStates<rows> states;
  __shared__ Visits visits;
  __shared__ WarpScratch scratch[Search::kWarps];
  extern __shared__ double2 shared[];
  const SearchMemory<rows> memory{states, visits, scratch[threadIdx.x / kWarpSize],
                                  reinterpret_cast<unsigned char*>(shared)};
  Search(job, (first + blockIdx.x) * rows, memory, job.lists + std::int64_t(blockIdx.x) * rows * job.kept,
         mergers)
      .run();
}

template <int Steps, int SubTiles>
void search(const SearchJob& job, std::int64_t first, std::int64_t end, const Stream& stream) {
  using Search = BlockSearch<Steps, SubTiles>;
  const auto kernel = searchBlock<Steps, SubTiles>;
  const auto most = std::size_t(sharedBytesPerBlock());
  cudaFuncAttributes attributes{};
  SULCUS_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  int mergers = Search::kWarps;  // as many as have room for their lists
  const auto bytes = [&] { return Search::sharedBytes(job.kept, mergers); };
  while (mergers > 1 && bytes() + attributes.sharedSizeBytes > most) --mergers;
  SULCUS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes())));
  kernel<<<unsigned(end - first), Search::kThreads, bytes(), stream.get()>>>(job, first, mergers);
  SULCUS_CUDA_LAUNCHED("searchBlock");
}

template <int Steps>
void searchOfSteps(const SearchJob& job, int rows, std::int64_t first, std::int64_t end,
                   const Stream& stream) {
  switch (rows / kSubTile) {
    case 1:
      return search<Steps, 1>(job, first, end, stream);
    case 2:
      return search<Steps, 2>(job, first, end, stream);
    default:
      return search<Steps, 4>(job, first, end, stream);
  }
}

}  // namespace search_kernels

int rowsPerBlock(int size, std::int64_t positions) {
  if (positions <= kFewPositions && stepsOf(size) <= 4) return kSubTile;
  return stepsOf(size) > 4 || positions < kManyPositions ? 2 * kSubTile : 4 * kSubTile;
}

void searchRows(const SearchJob& job, int size, int rows, std::int64_t first, std::int64_t end,
                const Stream& stream) {
  switch (stepsOf(size)) {
    case 1:
      return searchOfSteps<1>(job, rows, first, end, stream);
    case 4:
      return searchOfSteps<4>(job, rows, first, end, stream);
    default:
      return search<stepsOf(kMostPatchValues), 2>(job, first, end, stream);
  }
}

}  // namespace sulcus::gpu::surface
