#pragma once

#include "core/activation/sampler/interweaving_kernel.h"

// The draw of a group's hyper-parameters in double ("A group's step" in resources/design/engines.md): the
// conjugate posterior of the multivariate regression of γ on z (Ferreira da Silva, Comput Methods Programs
// Biomed (2010)), V_γ ~ IW(ν + M, V + S) and Δ | V_γ ~ N(Δ̃, V_γ ⊗ (Z'Z + A)⁻¹), then the eigenvectors of
// V_γ, the axes for the next iteration's voxels.
//
// The voxels give sums of d = draw − Δ'z (with the Δ of the same iteration) in the axes U of that iteration.
// With D the matrix of the rows d' rotated back to γ by U, T = Z'D and E = (Z'Z + A)⁻¹ (T − A Δ),
//   Δ̃ = Δ + E,   S = D'D − E'(Z'Z + A) E + a Δ'Δ   (which contains Δ̃'A Δ̃).
// Centering on the last Δ in this way avoids the subtraction of large numbers.
//
// If V_β has blocks, V + S is transformed to β, elements between the blocks are 0, and every block has its
// marginal prior from the whole matrix: the same regression for its coefficients alone. Therefore Bartlett's
// matrix has no entries between blocks either, and V_γ = F F' with F = L' F_β.
//
// The work is done by a team, see team_matrix_kernel.h. Matrices are stored by rows.

namespace sulcus::activation {

/// The matrices of drawHyper, in hyperWork(k, q) doubles.
template <class Size>
struct HyperWork {
  double* scale;     ///< V + S, then its Cholesky factor C; k × k like the next four
  double* bartlett;  ///< B, with reciprocals on its diagonal
  double* factor;    ///< F = C B'⁻¹, so that V_γ = F F'
  double* product;   ///< U Σ d d', then V_γ, which jacobi() replaces by the eigenvalues
  double* vectors;   ///< eigenvectors of V_γ
  double* delta;     ///< Δ of the iteration that the sums are from; q × k like the next five
  double* means;     ///< U'Δ' of that iteration, k × q, moved by interweaving
  double* t;         ///< T = Z'D, then N F'
  double* e;         ///< E, the step from Δ to its posterior mean
  double* ze;        ///< (Z'Z + A) E = T − a Δ
  double* noise;     ///< N, standard normal numbers
  double* rotation;  ///< 2 k
  double* shift;     ///< shiftWork(k, q): for interweaving

  SULCUS_HD HyperWork(Size k, int q, double* work)
      : scale(work),
        bartlett(scale + k * k),
        factor(bartlett + k * k),
        product(factor + k * k),
        vectors(product + k * k),
        delta(vectors + k * k),
        means(delta + q * k),
        t(means + q * k),
        e(t + q * k),
        ze(e + q * k),
        noise(ze + q * k),
        rotation(noise + q * k),
        shift(rotation + 2 * k) {}
};

/// Number of doubles in HyperWork.
SULCUS_HD constexpr int hyperWork(int k, int q) { return 5 * k * k + 6 * q * k + 2 * k + shiftWork(k, q); }

/// Input and output of a draw of the hyper-parameters.
struct HyperDraw {
  HyperPrior prior;
  HyperParameters last;  ///< of the iteration that the sums are from
  HyperParameters next;  ///< receives those of the next iteration; may share the memory of `last`
  double* sums;          ///< hyperSums(k, q, interwoven) in the axes of `last`; overwritten if interwoven
  HyperStream stream;
  bool interwoven;   ///< whether the sums include the input of interweave()
  double* delta;     ///< receives Δ in γ, q × k by rows
  double* variance;  ///< receives V_γ, k × k by rows
  double* work;      ///< hyperWork(k, q)
};

/// Stores standard normal number `index` of a hyper-draw: the first ones fill B below its diagonal, row by
/// row, the others form N.
template <class Size>
SULCUS_HD_INLINE void storeNormal(Size k, const HyperPrior& prior, int index, float normal,
                                  const HyperWork<Size>& at) {
  const int below = k * (k + 1) / 2 - k;
  if (index >= below) {
    at.noise[index - below] = normal;
    return;
  }
  int row = 1;  // in the strict lower triangle
  while (row * (row + 1) / 2 <= index) ++row;
  const int column = index - row * (row - 1) / 2;
  at.bartlett[row * k + column] = prior.blocks && !prior.together(row, column) ? 0.0 : double(normal);
}

/// Draws the random numbers of a hyper-draw, which do not depend on previous draws: Bartlett's lower triangle
/// B with B B' ~ Wishart(freedom, I) (row i has a χ of freedom − i degrees on the diagonal and standard
/// normal numbers before it; Smith and Hocking, Appl Stat 21 (1972) 341), and the standard normal N (q × k)
/// of Δ. Both are stored in `work`, B with reciprocals on its diagonal. Each block of V_β has its own such
/// triangle.
///
/// @param prior  with at least k + 1 degrees of freedom
/// @param work   hyperWork(k, q) doubles
template <class Size, class Team>
SULCUS_HD void drawHyperNoise(Size k, int q, const HyperPrior& prior, const HyperStream& stream, double* work,
                              const Team& team) {
  const HyperWork<Size> at(k, q, work);
  for (int i = team.rank; i < k; i += team.size) {
    // In addition to the preceding rows of its block, those of the other blocks are subtracted: all but the
    // later ones of its own.
    int less = i;
    if (prior.blocks)
      for (int j = i + 1; j < k; ++j) less += !prior.together(i, j);
    at.bartlett[i * k + i] = reciprocalRoot(stream.chiSquare(i, prior.freedom - less));
    for (int j = i + 1; j < k; ++j) at.bartlett[i * k + j] = 0;
  }
  const int normals = k * (k + 1) / 2 - k + q * k;
  for (int b = team.rank; 4 * b < normals; b += team.size) {
    float n[4];
    stream.normals(b, n);
    for (int l = 0; l < 4 && 4 * b + l < normals; ++l) storeNormal(k, prior, 4 * b + l, n[l], at);
  }
  team.sync();
}

/// Rotates the sums of the voxels from the axes U back to γ: product = U (Σ d d'), Δ' = U (U'Δ'),
/// T = Z'D = (Σ z d') U', and T − a Δ.
template <class Size, class Team>
SULCUS_HD_INLINE void rotateSums(Size k, int q, const HyperDraw& draw, const HyperWork<Size>& at,
                                 const Team& team) {
  const float* const axes = draw.last.axes;
  const double *const sums = draw.sums, *const sumsOfZ = sums + k * (k + 1) / 2;
  for (int x = team.rank; x < k * k; x += team.size) {
    const int i = x / k, j = x % k;
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += double(axes[i * k + l]) * sums[inSymmetric(l, j)];
    at.product[x] = sum;
  }
  for (int x = team.rank; x < q * k; x += team.size) {
    const int c = x / k, i = x % k;
    double d = 0, zd = 0;
    for (int j = 0; j < k; ++j) {
      d += double(axes[i * k + j]) * at.means[j * q + c];
      zd += double(axes[i * k + j]) * sumsOfZ[c * k + j];
    }
    at.delta[x] = d;
    at.t[x] = zd;
    at.ze[x] = zd - draw.prior.a * d;
  }
  team.sync();
}

/// The step from the last Δ to the posterior mean Δ̃: E = (Z'Z + A)⁻¹ (T − a Δ).
template <class Size, class Team>
SULCUS_HD_INLINE void solveDeltaStep(Size k, int q, const HyperPrior& prior, const HyperWork<Size>& at,
                                     const Team& team) {
  for (int x = team.rank; x < q * k; x += team.size) {
    const int c = x / k, i = x % k;
    double sum = 0;
    for (int l = 0; l < q; ++l) sum += prior.zzInverse[c * q + l] * at.ze[l * k + i];
    at.e[x] = sum;
  }
  team.sync();
}

/// The scale of the inverse Wishart distribution: V + S = V + D'D − E'(T − a Δ) + a Δ'Δ, with
/// D'D = (U Σ d d') U'.
template <class Size, class Team>
SULCUS_HD_INLINE void addScatter(Size k, int q, const HyperPrior& prior, const HyperParameters& last,
                                 const HyperWork<Size>& at, const Team& team) {
  for (int x = team.rank; x < k * k; x += team.size) {
    const int i = x / k, j = x % k;
    double sum = prior.scale[x];
    for (int l = 0; l < k; ++l) sum += at.product[i * k + l] * double(last.axes[j * k + l]);
    for (int c = 0; c < q; ++c) {
      sum -= at.e[c * k + i] * at.ze[c * k + j];
      sum += prior.a * at.delta[c * k + i] * at.delta[c * k + j];
    }
    at.scale[x] = sum;
  }
  team.sync();
}

/// result = left · matrix · left', with k × k numbers of working memory.
template <class Size, class Team>
SULCUS_HD_INLINE void turnMatrix(Size k, const double* left, const double* matrix, double* result,
                                 double* work, const Team& team) {
  for (int x = team.rank; x < k * k; x += team.size) {
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += left[x / k * k + l] * matrix[l * k + x % k];
    work[x] = sum;
  }
  team.sync();
  for (int x = team.rank; x < k * k; x += team.size) {
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += work[x / k * k + l] * left[x % k * k + l];
    result[x] = sum;
  }
  team.sync();
}

/// Transforms V + S from γ to β and removes the elements between the blocks of V_β.
template <class Size, class Team>
SULCUS_HD_INLINE void partBlocks(Size k, const HyperPrior& prior, const HyperWork<Size>& at,
                                 const Team& team) {
  turnMatrix(k, prior.toBeta, at.scale, at.scale, at.product, team);
  for (int x = team.rank; x < k * k; x += team.size)
    if (!prior.together(x / k, x % k)) at.scale[x] = 0;
  team.sync();
}

/// F = L' F_β.
template <class Size, class Team>
SULCUS_HD_INLINE void turnFactor(Size k, const HyperPrior& prior, const HyperWork<Size>& at,
                                 const Team& team) {
  for (int x = team.rank; x < k * k; x += team.size) at.product[x] = at.factor[x];
  team.sync();
  for (int x = team.rank; x < k * k; x += team.size) {
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += prior.toGamma[x / k * k + l] * at.product[l * k + x % k];
    at.factor[x] = sum;
  }
  team.sync();
}

/// V_γ = F F' ~ IW(ν + M, V + S): with V + S = C C' the factor F solves F B' = C, row by row by forward
/// substitution, f_ij = (c_ij − Σ_{l<j} f_il b_jl) / b_jj.
template <class Size, class Team>
SULCUS_HD_INLINE void drawVariance(Size k, const HyperPrior& prior, const HyperWork<Size>& at,
                                   double* variance, const Team& team) {
  if (prior.blocks) partBlocks(k, prior, at, team);
  choleskyInPlace(k, at.scale, team);
  for (int i = team.rank; i < k; i += team.size)
    for (int j = 0; j < k; ++j) {
      double sum = j <= i ? at.scale[i * k + j] : 0.0;
      for (int l = 0; l < j; ++l) sum -= at.factor[i * k + l] * at.bartlett[j * k + l];
      at.factor[i * k + j] = sum * at.bartlett[j * k + j];
    }
  team.sync();
  if (prior.blocks) turnFactor(k, prior, at, team);
  for (int x = team.rank; x < k * k; x += team.size) {
    const int i = x / k, j = x % k;
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += at.factor[i * k + l] * at.factor[j * k + l];
    variance[x] = at.product[x] = sum;
  }
}

/// Δ = Δ̃ + R N F' ~ N(Δ̃, V_γ ⊗ (Z'Z + A)⁻¹), with Δ̃ = last Δ + E and R R' = (Z'Z + A)⁻¹.
template <class Size, class Team>
SULCUS_HD_INLINE void drawDelta(Size k, int q, const HyperPrior& prior, const HyperWork<Size>& at,
                                double* delta, const Team& team) {
  for (int x = team.rank; x < q * k; x += team.size) {
    const int c = x / k, i = x % k;
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += at.noise[c * k + l] * at.factor[i * k + l];
    at.t[x] = sum;
  }
  team.sync();
  for (int x = team.rank; x < q * k; x += team.size) {
    const int c = x / k, i = x % k;
    double sum = at.delta[x] + at.e[x];
    for (int l = c; l < q; ++l) sum += prior.zzRoot[c * q + l] * at.t[l * k + i];
    delta[x] = sum;
  }
  team.sync();
}

/// The input of the next iteration's voxels, rounded to float: eigenvectors U and eigenvalues λ of V_γ, and
/// U'Δ'.
template <class Size, class Team>
SULCUS_HD_INLINE void storeParameters(Size k, int q, const HyperWork<Size>& at, const double* delta,
                                      const HyperParameters& next, const Team& team) {
  jacobi(k, JacobiWork{at.product, at.vectors, at.rotation}, team);
  for (int x = team.rank; x < k * k; x += team.size) next.axes[x] = float(at.vectors[x]);
  for (int j = team.rank; j < k; j += team.size) next.scales[j] = float(at.product[j * k + j]);
  for (int x = team.rank; x < q * k; x += team.size) {
    const int j = x / q, c = x % q;
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += at.vectors[i * k + j] * delta[c * k + i];
    next.means[j * q + c] = float(sum);
  }
  team.sync();
}

/// Draws Δ and V_γ from the sums of an iteration's voxels and the random numbers that drawHyperNoise() stored
/// in `work`, and computes the input of the next iteration. The sums are first interwoven if they include the
/// input for that.
template <class Size, class Team>
SULCUS_HD void applyHyperNoise(Size k, int q, const HyperDraw& draw, const Team& team) {
  const HyperPrior& prior = draw.prior;
  const HyperWork<Size> at(k, q, draw.work);
  for (int x = team.rank; x < q * k; x += team.size) at.means[x] = double(draw.last.means[x]);
  team.sync();
  if (draw.interwoven)
    interweave(k, q, Interwoven{prior, draw.last, draw.stream, draw.sums, at.means, at.shift}, team);
  rotateSums(k, q, draw, at, team);
  solveDeltaStep(k, q, prior, at, team);
  addScatter(k, q, prior, draw.last, at, team);
  drawVariance(k, prior, at, draw.variance, team);
  drawDelta(k, q, prior, at, draw.delta, team);
  storeParameters(k, q, at, draw.delta, draw.next, team);
}

/// Draws Δ and V_γ: drawHyperNoise(), then applyHyperNoise().
template <class Size, class Team>
SULCUS_HD void drawHyper(Size k, int q, const HyperDraw& draw, const Team& team) {
  drawHyperNoise(k, q, draw.prior, draw.stream, draw.work, team);
  applyHyperNoise(k, q, draw, team);
}

}  // namespace sulcus::activation
