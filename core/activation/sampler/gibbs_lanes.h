#pragma once

#include "core/activation/model/correlated_kernel.h"
#include "core/activation/sampler/hyper_kernel.h"
#include "core/activation/sampler/marginal_kernel.h"

// One iteration of a block of voxels on the vector registers of the CPU. gibbs_lanes8.cpp and
// gibbs_lanes16.cpp include this file and are compiled for different processors, and so does gibbs.cpp.
// Therefore everything here that generates code is a template on the number of lanes, so that no function for
// one processor is linked into the code for another.

namespace sulcus::activation {

/// Voxels in a tile. Voxels are stored in tiles of 16, quantity i of them at tile[16 i] … tile[16 i + 15].
/// Whatever the number of lanes, voxel l of each tile adds to the l-th of 16 sums.
inline constexpr int kTile = 16;
/// Tiles in a block, which yields one set of sums.
inline constexpr int kBlockTiles = 16;

/// Up to this number of regressors there is specialized code for each number.
inline constexpr int kFixedRegressors = 8;

/// The size() quantities of a tile, float32: γ̂ (k), the covariates after the first (q − 1), ν_e s² + RSS
/// (1), and, if voxels have their own precision, the lower triangle of H.
struct TileLayout {
  int k = 0, q = 0;
  bool correlated = false;

  int estimate() const { return 0; }
  int z() const { return k; }
  int squares() const { return k + q - 1; }
  int precision() const { return k + q; }
  int size() const { return k + q + (correlated ? k * (k + 1) / 2 : 0); }
};

/// A block of voxels in one iteration of one chain. The arrays are tiles of 16 voxels.
struct GibbsBlock {
  int k = 0, q = 0;
  int voxels = 0;                      ///< padding in the last tile is excluded from the sums
  const float* data = nullptr;         ///< TileLayout
  const std::uint32_t* ids = nullptr;  ///< indices of the voxels in the image
  float* sigma2 = nullptr;             ///< the previous draw of σ², replaced by the next
  float* moments = nullptr;            ///< MomentLayout; null if the draw is not kept
  GibbsStep step;
  GibbsStep proposed;    ///< the hyper-parameters proposed next; axes null: they are drawn instead
  ChiSquare<float> law;  ///< of ν_e + n degrees of freedom
  PhiloxKey key;
  std::uint32_t iteration = 0, chain = 0;
  const float* inverse = nullptr;  ///< L⁻ᵀ, k × k by rows
  float perFreedom = 0;            ///< 1 / (ν_e + n)
  BatchPlan plan;
  int index = 0;             ///< index of this draw among those that the chain keeps
  double* sums = nullptr;    ///< receives hyperSums(k, q, interwoven) numbers, or Σ marginalChange()
  float* scratch = nullptr;  ///< blockScratch(k, q) floats of working memory, aligned to 64 bytes

  bool proposing() const { return proposed.axes != nullptr; }
  bool interwoven() const { return step.direction != nullptr && !proposing(); }
};

using RunBlock = void(const GibbsBlock&);

/// Number of floats that a block needs as working memory, for any number of lanes.
inline int blockScratch(int k, int q) {
  return kTile * (2 * hyperSums(k, q, true) + k + q + 2 * CorrelatedWork<float, 0>::size(k) + k + 2 +
                  kBlockTiles * (k + 1 + 4 * wordBlocks(k)));
}

/// The code for AVX2 and for AVX-512.
RunBlock* blockOn8Lanes(int k, bool correlated);
RunBlock* blockOn16Lanes(int k, bool correlated);

template <int N>
struct LanesOfWidth {
  using Real = FloatPack<N>;
};
template <>
struct LanesOfWidth<1> {
  using Real = float;
};

/// The random words of the voxels of a block, starting at `first`, after the first `blocks` blocks of four.
template <class Uint>
PhiloxStream<Uint> streamOf(const GibbsBlock& b, int first, int blocks = 0) {
  return {b.key, load<Uint>(b.ids + first), b.iteration, b.chain, std::uint32_t(blocks)};
}

/// A stream that returns precomputed words, and then those of `more`.
template <class Uint>
struct BufferedStream {
  const std::uint32_t* buffer;
  int left;  ///< blocks left in the buffer
  PhiloxStream<Uint> more;

  SULCUS_HD_INLINE void next4(Uint (&words)[4]) {
    if (left-- <= 0) return more.next4(words);
    for (int i = 0; i < 4; ++i, buffer += kTile) words[i] = load<Uint>(buffer);
  }
};

/// Sum of 16 floats in double, always in the same order.
template <int N>
double sumOfTile(const float* from) {
  double d[kTile / 2];
  for (int l = 0; l < kTile / 2; ++l) d[l] = double(from[l]) + double(from[l + kTile / 2]);
  for (int width = kTile / 4; width > 0; width /= 2)
    for (int l = 0; l < width; ++l) d[l] += d[l + width];
  return d[0];
}

/// The random words of an iteration in every tile of a block, for the N lanes that begin at `offset`.
template <class Uint>
void drawWords(const GibbsBlock& b, int offset, std::uint32_t* words) {
  const int blocks = wordBlocks(b.k);
  for (int first = offset; first < b.voxels; first += kTile) {
    std::uint32_t* to = words + first / kTile * 4 * blocks * kTile;
    auto stream = streamOf<Uint>(b, first);
    for (int i = 0; i < blocks; ++i) {
      Uint word[4];
      stream.next4(word);
      for (int w = 0; w < 4; ++w, to += kTile) store(to, word[w]);
    }
  }
}

/// Normal numbers and χ² from the words of drawWords(): k + 1 numbers per tile.
///
/// @param normals  working memory of k + 2 numbers
template <class Uint, class Size, class Real>
void drawTileNumbers(Size k, const GibbsBlock& b, int offset, const std::uint32_t* words, Real* normals,
                     float* numbers) {
  const int blocks = wordBlocks(k);
  for (int first = offset; first < b.voxels; first += kTile) {
    BufferedStream<Uint> stream{words + first / kTile * 4 * blocks * kTile, blocks,
                                streamOf<Uint>(b, first, blocks)};
    Real chiSquare;
    drawNumbers(k, b.law, stream, normals, chiSquare);
    float* const to = numbers + first / kTile * (k + 1) * kTile;
    for (int i = 0; i < k; ++i) store(to + i * kTile, normals[i]);
    store(to + k * kTile, chiSquare);
  }
}

/// The sums of a block over its tiles.
template <class Real>
struct LaneSums {
  Real* scatter;  ///< Σ d d', k (k + 1) / 2 numbers, then Σ d, k
  Real* ofZ;      ///< Σ z d' for the covariates after the first, (q − 1) × k
  Real* shift;    ///< shiftSums(k, q) if the hyper-parameters are interwoven
  Real change;    ///< Σ marginalChange() if they are proposed
};

/// Working memory for a voxel.
template <class Work, class Real>
struct LaneMemory {
  Work work, other;
  Real* known;  ///< w = (d, z), k + q numbers
};

template <class Real>
SULCUS_HD_INLINE void clear(Real* numbers, int count) {
  for (int i = 0; i < count; ++i) numbers[i] = Real(0);
}
/// Stores the lanes of sums to tiles, one after the other.
template <class Real>
SULCUS_HD_INLINE void storeLanes(const Real* sums, int count, float* tiles) {
  for (int i = 0; i < count; ++i) store(tiles + i * kTile, sums[i]);
}

/// Adds d to the sums of a draw of the hyper-parameters.
///
/// @param z  tiles of the covariates after the first
template <class Size, class Real>
SULCUS_HD_INLINE void addDeviation(Size k, int q, const Real* d, const float* z, const LaneSums<Real>& sums) {
  const int triangle = k * (k + 1) / 2;
  for (int i = 0, at = 0; i < k; ++i) {
    for (int j = 0; j <= i; ++j, ++at) sums.scatter[at] = fusedMultiplyAdd(d[i], d[j], sums.scatter[at]);
    sums.scatter[triangle + i] = sums.scatter[triangle + i] + d[i];
  }
  for (int c = 0; c < q - 1; ++c) {
    const Real covariate = load<Real>(z + c * kTile);
    for (int i = 0; i < k; ++i) sums.ofZ[c * k + i] = fusedMultiplyAdd(covariate, d[i], sums.ofZ[c * k + i]);
  }
}

/// Draws the voxels of some lanes of a tile and adds them to the sums and moments.
///
/// @param first   of the voxels, in the block
/// @param number  their normal numbers and χ²
template <int N, bool Correlated, class Size, class Work, class Real>
SULCUS_HD_INLINE void drawTile(Size k, const GibbsBlock& b, int first, const float* number,
                               LaneMemory<Work, Real>& memory, LaneSums<Real>& sums) {
  const int q = b.q, offset = first % kTile;
  const TileLayout tile{k, q, Correlated};
  const float* const data = b.data + first / kTile * tile.size() * kTile + offset;
  const float* const z = data + tile.z() * kTile;
  const VoxelData<Real> voxel{data, data + tile.precision() * kTile, z, std::int64_t(kTile),
                              load<Real>(data + tile.squares() * kTile)};
  const VoxelNumbers numbers{[&](int j) { return load<Real>(number + j * kTile); },
                             load<Real>(number + k * kTile)};
  Work& work = memory.work;
  const Real sigma2 = drawVoxel(k, b.step, voxel, load<Real>(b.sigma2 + first), numbers, work);
  store(b.sigma2 + first, sigma2);
  Real slope(0), curvature(0), change(0);
  if (b.proposing()) {
    takeGram(k, work, memory.other);
    change = marginalChange(k, b.step, b.proposed, voxel, sigma2, memory.other);
  }
  if (b.interwoven()) shiftTerms(k, b.step.direction, sigma2, work, slope, curvature);
  if (first + N > b.voxels) {
    float lane[kTile];
    for (int l = 0; l < kTile; ++l) lane[l] = float(l);
    const auto counts = load<Real>(lane) < Real(float(b.voxels - first));
    for (int i = 0; i < k; ++i) work.deviation[i] = select(counts, work.deviation[i], Real(0));
    slope = select(counts, slope, Real(0));
    curvature = select(counts, curvature, Real(0));
    change = select(counts, change, Real(0));
  }
  sums.change = sums.change + change;
  if (!b.proposing()) addDeviation(k, q, &work.deviation[0], z, sums);
  if (b.interwoven()) {
    for (int i = 0; i < k; ++i) memory.known[i] = work.deviation[i];
    memory.known[k] = Real(1);
    for (int c = 0; c < q - 1; ++c) memory.known[k + 1 + c] = load<Real>(z + c * kTile);
    addShift(k + q, memory.known, slope, curvature, sums.shift);
  }
  if (!b.moments) return;
  setCovariance(k, b.step, work);
  const MomentSums moments{b.moments + first / kTile * MomentLayout{k}.size() * kTile + offset, kTile};
  addMoments(k, KeptDraw{b.step.axes, b.inverse, b.plan, b.index}, sigma2, voxel.squares * Real(b.perFreedom),
             work, moments);
}

/// Runs a block with K regressors, or with any number of them if K is 0.
template <int N, int K, bool Correlated>
void runBlock(const GibbsBlock& block) {
  const GibbsBlock b = block;  // a local copy, which the compiler knows is not changed by stores
  using Real = typename LanesOfWidth<N>::Real;
  using Uint = UintOf<Real>;
  using Work = std::conditional_t<Correlated, CorrelatedWork<Real, K>, VoxelWork<Real, K>>;
  const auto k = [&] {
    if constexpr (K > 0)
      return Fixed<K>();
    else
      return b.k;
  }();
  const int q = b.q, scatter = k * (k + 1) / 2 + k, ofZ = (q - 1) * k;
  const int shift = b.interwoven() ? shiftSums(k, q) : 0;
  float* scratch = b.scratch;
  const auto take = [&](int vectors) {
    float* const taken = scratch;
    scratch += kTile * vectors;
    return taken;
  };
  const auto takeReals = [&](int count) { return reinterpret_cast<Real*>(take(count)); };
  float* const tileSums = take(hyperSums(k, q, true));
  Real* const memorySums = takeReals(scatterSums(k, q));
  Real* const sumsOfShift = takeReals(shiftSums(k, q));
  Real* const known = takeReals(k + q);
  const int workSize = CorrelatedWork<float, 0>::size(k);
  Real* const memoryWork = takeReals(workSize + k + 2);
  float* const numbers = take(kBlockTiles * (k + 1));
  std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(take(kBlockTiles * 4 * wordBlocks(k)));
  Real* const otherWork = takeReals(workSize);
  const auto workIn = [&]([[maybe_unused]] Real* memory) {
    if constexpr (K > 0)
      return Work();
    else
      return Work(memory, k);
  };
  LaneMemory<Work, Real> memory{workIn(memoryWork), workIn(otherWork), known};
  Real fixedNormals[K + 2], fixedSums[K > 0 ? K * (K + 1) / 2 + K : 1];
  Real* const normals = K > 0 ? fixedNormals : memoryWork + workSize;
  LaneSums<Real> sums{memorySums, memorySums + scatter, sumsOfShift, Real(0)};
  if (K > 0) {
    sums.scatter = fixedSums;
    sums.ofZ = memorySums;
  }

  // Each step processes all tiles before the next begins: the steps are short enough that the processor works
  // on several tiles at once.
  for (int offset = 0; offset < kTile; offset += N) {
    drawWords<Uint>(b, offset, words);
    drawTileNumbers<Uint>(k, b, offset, words, normals, numbers);
    clear(sums.scatter, scatter);
    clear(sums.ofZ, ofZ);
    clear(sums.shift, shift);
    sums.change = Real(0);
    for (int first = offset; first < b.voxels; first += kTile)
      drawTile<N, Correlated>(k, b, first, numbers + first / kTile * (k + 1) * kTile, memory, sums);
    if (b.proposing()) {
      store(tileSums + offset, sums.change);
      continue;
    }
    storeLanes(sums.scatter, scatter, tileSums + offset);
    storeLanes(sums.ofZ, ofZ, tileSums + scatter * kTile + offset);
    storeLanes(sums.shift, shift, tileSums + scatterSums(k, q) * kTile + offset);
  }
  const int count = b.proposing() ? 1 : hyperSums(k, q, b.interwoven());
  for (int i = 0; i < count; ++i) b.sums[i] = sumOfTile<N>(tileSums + i * kTile);
}

template <int N, bool Correlated, int K = kFixedRegressors>
RunBlock* blockWith(int k) {
  if constexpr (K == 0 || N == 1)
    return &runBlock<N, 0, Correlated>;
  else
    return k == K ? &runBlock<N, K, Correlated> : blockWith<N, Correlated, K - 1>(k);
}

/// The code for N lanes. One lane uses the same code for any number of regressors.
///
/// @param correlated  voxels have their own precision
template <int N>
RunBlock* blockOnLanes(int k, bool correlated) {
  return correlated ? blockWith<N, true>(k) : blockWith<N, false>(k);
}

}  // namespace sulcus::activation
