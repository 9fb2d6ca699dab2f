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
void drawWords(const GibbsBlock& b, int offset, int blocks, std::uint32_t* words) {
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
template <class Real, class Uint, class Size>
void drawTileNumbers(Size k, const GibbsBlock& b, int offset, int blocks, const std::uint32_t* words,
                     Real* normals, float* numbers) {
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

/// Runs a block with K regressors, or with any number of them if K is 0.
template <int N, int K, bool Correlated>
void runBlock(const GibbsBlock& block) {
  const GibbsBlock b = block;  // a local copy, which the compiler knows is not changed by stores
  using Real = typename LanesOfWidth<N>::Real;
  const auto k = [&] {
    if constexpr (K > 0)
      return Fixed<K>();
    else
      return b.k;
  }();
  const int q = b.q, triangle = k * (k + 1) / 2;
  const TileLayout tile{k, q, Correlated};
  const MomentLayout moments{k};
  const int blocks = wordBlocks(k);
  using Uint = UintOf<Real>;
  float* scratch = b.scratch;
  const auto take = [&](int vectors) {
    float* const taken = scratch;
    scratch += kTile * vectors;
    return taken;
  };
  const bool proposing = b.proposed.axes != nullptr;
  const bool interwoven = b.step.direction != nullptr && !proposing;
  float* const tileSums = take(hyperSums(k, q, true));
  Real* const memorySums = reinterpret_cast<Real*>(take(scatterSums(k, q)));
  Real* const sumsOfShift = reinterpret_cast<Real*>(take(shiftSums(k, q)));
  Real* const known = reinterpret_cast<Real*>(take(k + q));  // w = (d, z)
  constexpr bool kFixed = K > 0;
  using Work = std::conditional_t<Correlated, CorrelatedWork<Real, K>, VoxelWork<Real, K>>;
  Real* const memoryWork = reinterpret_cast<Real*>(take(CorrelatedWork<float, 0>::size(k) + k + 2));
  float* const numbers = take(kBlockTiles * (k + 1));
  std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(take(kBlockTiles * 4 * blocks));
  Real* const otherWork = reinterpret_cast<Real*>(take(CorrelatedWork<float, 0>::size(k)));
  const auto workIn = [&]([[maybe_unused]] Real* memory) {
    if constexpr (kFixed)
      return Work();
    else
      return Work(memory, k);
  };
  auto work = workIn(memoryWork), other = workIn(otherWork);
  Real fixedNormals[K + 2], fixedSums[K > 0 ? K * (K + 1) / 2 + K : 1];
  Real* const normals = kFixed ? fixedNormals : memoryWork + CorrelatedWork<float, 0>::size(k);
  Real* const sums = K > 0 ? fixedSums : memorySums;
  Real* const sumsOfZ = K > 0 ? memorySums : memorySums + triangle + k;
  float lane[kTile];
  for (int l = 0; l < kTile; ++l) lane[l] = float(l);

  // Each step processes all tiles before the next begins: the steps are short enough that the processor works
  // on several tiles at once.
  for (int offset = 0; offset < kTile; offset += N) {
    drawWords<Uint>(b, offset, blocks, words);
    drawTileNumbers<Real, Uint>(k, b, offset, blocks, words, normals, numbers);
    // The draws, their Σ d d' and Σ z d', and their moments.
    for (int i = 0; i < triangle + k; ++i) sums[i] = Real(0);
    for (int i = 0; i < (q - 1) * k; ++i) sumsOfZ[i] = Real(0);
    for (int i = 0; interwoven && i < shiftSums(k, q); ++i) sumsOfShift[i] = Real(0);
    Real sumOfChange(0);
    for (int first = offset; first < b.voxels; first += kTile) {
      const float* const data = b.data + first / kTile * tile.size() * kTile + offset;
      const float* const number = numbers + first / kTile * (k + 1) * kTile;
      const VoxelData<Real> voxel{data, data + tile.precision() * kTile, data + tile.z() * kTile,
                                  std::int64_t(kTile), load<Real>(data + tile.squares() * kTile)};
      const Real sigma2 = drawVoxel(
          k, q, b.step, voxel, load<Real>(b.sigma2 + first),
          [&](int j) { return load<Real>(number + j * kTile); }, load<Real>(number + k * kTile), work);
      store(b.sigma2 + first, sigma2);
      Real slope(0), curvature(0), change(0);
      if (proposing) {
        takeGram(k, work, other);
        change = marginalChange(k, q, b.step, b.proposed, voxel, sigma2, other);
      }
      if (interwoven) shiftTerms(k, b.step.direction, sigma2, work, slope, curvature);
      if (first + N > b.voxels) {
        const auto counts = load<Real>(lane) < Real(float(b.voxels - first));
        for (int i = 0; i < k; ++i) work.deviation[i] = select(counts, work.deviation[i], Real(0));
        slope = select(counts, slope, Real(0)), curvature = select(counts, curvature, Real(0));
        change = select(counts, change, Real(0));
      }
      sumOfChange = sumOfChange + change;
      for (int i = 0, at = 0; !proposing && i < k; ++i) {
        for (int j = 0; j <= i; ++j, ++at)
          sums[at] = fusedMultiplyAdd(work.deviation[i], work.deviation[j], sums[at]);
        sums[triangle + i] = sums[triangle + i] + work.deviation[i];
      }
      for (int c = 1; !proposing && c < q; ++c) {
        const Real z = load<Real>(data + (tile.z() + c - 1) * kTile);
        for (int i = 0; i < k; ++i)
          sumsOfZ[(c - 1) * k + i] = fusedMultiplyAdd(z, work.deviation[i], sumsOfZ[(c - 1) * k + i]);
      }
      if (interwoven) {
        for (int i = 0; i < k; ++i) known[i] = work.deviation[i];
        known[k] = Real(1);
        for (int c = 1; c < q; ++c) known[k + c] = load<Real>(data + (tile.z() + c - 1) * kTile);
        addShift(k + q, known, slope, curvature, sumsOfShift);
      }
      if (b.moments) {
        setCovariance(k, b.step, work);
        addMoments(k, b.step.axes, b.inverse, b.plan, b.index, sigma2, voxel.squares * Real(b.perFreedom),
                   work, b.moments + first / kTile * moments.size() * kTile + offset, std::int64_t(kTile));
      }
    }
    if (proposing) {
      store(tileSums + offset, sumOfChange);
      continue;
    }
    for (int i = 0; i < triangle + k; ++i) store(tileSums + i * kTile + offset, sums[i]);
    for (int i = 0; i < (q - 1) * k; ++i) store(tileSums + (triangle + k + i) * kTile + offset, sumsOfZ[i]);
    for (int i = 0; interwoven && i < shiftSums(k, q); ++i)
      store(tileSums + (scatterSums(k, q) + i) * kTile + offset, sumsOfShift[i]);
  }
  const int count = proposing ? 1 : hyperSums(k, q, interwoven);
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
