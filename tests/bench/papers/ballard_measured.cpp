#include "core/analysis/peak_agreement.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/fibers/peaks/general_tensor.h"
#include "core/phantom/fibers_phantom.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/papers/ballard_papers.h"
#include "tests/bench/papers/power_method_gpu.h"
#include "tests/bench/papers/power_method_kernel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace sulcus::bench {
namespace {

/// The lines of two directions in each voxel, as a picture of 32 × 32 voxels.
std::string svgOfSticks(const Series<float>& peaks, const Series<float>& truth) {
  constexpr int cell = 16;
  std::string svg = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">"
      "<rect width=\"%d\" height=\"%d\" fill=\"#111\"/>\n",
      32 * cell, 32 * cell, 32 * cell, 32 * cell, 32 * cell, 32 * cell);
  const auto draw = [&](const Series<float>& image, const char* color, double width) {
    std::string path;
    for (std::int64_t i = 0; i < image.grid.voxels(); ++i)
      for (int p = 0; p + 2 < image.count; p += 3) {
        const Vec3<double> peak{image.at(i, p), image.at(i, p + 1), image.at(i, p + 2)};
        if (!(norm(peak) > 0)) continue;
        const Vec3<double> d = 0.45 * cell * normalized(peak);
        const Vec3<int> v = image.grid.voxel(i);
        const double x = (v.x + 0.5) * cell, y = (31.5 - v.y) * cell;
        path += format("M%.1f %.1fL%.1f %.1f", x - d.x, y + d.y, x + d.x, y - d.y);
      }
    svg +=
        format("<path stroke=\"%s\" stroke-width=\"%g\" fill=\"none\" d=\"", color, width) + path + "\"/>\n";
  };
  draw(truth, "#fff", 4.5);
  draw(peaks, "#e69f00", 1.6);
  return svg + "</svg>\n";
}

std::string shownValue(const AgreementRow& row) {
  if (row.unit != "°") return format("%.0f %% of the voxels", 100 * row.shareWithin);
  return std::isnan(row.median) ? "no voxel shows every fiber" : format("%.1f° in the median", row.median);
}

/// The median of ‖A xᵐ⁻¹ − λx‖ over the results, in double.
double medianResidual(const PowerMethodWork& work, const PowerMethodEnds& ends) {
  std::vector<double> residuals;
  const auto classes = std::size_t(indexClassCount(work.m, work.n)), n = std::size_t(work.n);
  const auto starts = std::size_t(work.startCount());
  for (std::size_t e = 0; e < std::min<std::size_t>(ends.values.size(), 2000); ++e) {
    const auto from = work.entries.begin() + std::ptrdiff_t(e / starts * classes);
    const fibers::SymmetricTensor tensor{work.m, work.n, {from, from + std::ptrdiff_t(classes)}};
    const std::vector<double> x(ends.vectors.begin() + std::ptrdiff_t(e * n),
                                ends.vectors.begin() + std::ptrdiff_t((e + 1) * n));
    const auto y = fibers::formGradient(tensor, x);
    const double value = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) square += std::pow(y[i] - value * x[i], 2);
    residuals.push_back(std::sqrt(square));
  }
  return median(residuals);
}

}  // namespace

PowerMethodWork powerMethodWork(int m, int n, int tensors, int starts, int steps) {
  PowerMethodWork work{m, n, tensors, float(m - 1) / 4, steps, {}, {}};
  std::mt19937 random(std::uint32_t(17 + 100 * m + n));
  const auto uniform = [&] { return random() * 0x1p-31 - 1; };
  const auto direction = [&] {
    std::vector<double> d(std::size_t(n), 0.0);
    double square = 0;
    for (auto& x : d) x = uniform(), square += x * x;
    for (auto& x : d) x /= std::sqrt(square);
    return d;
  };
  // The starts come first, so that they are the same for any number of tensors.
  for (int s = 0; s < starts; ++s)
    for (const double x : direction()) work.starts.push_back(float(x));
  constexpr int distinct = 64;
  for (int t = 0; t < std::min(tensors, distinct); ++t) {
    const std::vector<double> lobes[] = {direction(), direction(), direction()};
    const auto tensor = fibers::makeTensor(m, n, [&](std::span<const int> index) {
      double sum = 0.02 * uniform();
      for (const auto& lobe : lobes) {
        double product = 1.0 / 3;
        for (const int i : index) product *= lobe[std::size_t(i - 1)];
        sum += product;
      }
      return sum;
    });
    work.entries.insert(work.entries.end(), tensor.entries.begin(), tensor.entries.end());
  }
  const std::size_t known = work.entries.size();
  work.entries.resize(std::size_t(tensors) * std::size_t(indexClassCount(m, n)));
  for (std::size_t i = known; i < work.entries.size(); ++i) work.entries[i] = work.entries[i - known];
  return work;
}

std::span<const PublishedTensor> publishedTensors() {
  static const PublishedTensor tensors[] = {
      {"Example 3.5",
       4,
       3,
       {0.2883, -0.0031, 0.1973, -0.2485, -0.2939, 0.3847, 0.2972, 0.1862, 0.0919, -0.3619, 0.1241, -0.3420,
        0.2127, 0.2727, -0.3054},
       {0.8893, 0.8169, 0.5105, 0.3633, 0.2682, 0.2628, 0.2433, 0.1735, -0.0451, -0.5629, -1.0954}},
      {"Example 3.6",
       3,
       3,
       {-0.1281, 0.0516, -0.0954, -0.1958, -0.1790, -0.2676, 0.3251, 0.2513, 0.1773, 0.0338},
       {0.8730, 0.4306, 0.2294, 0.0180, 0.0033, 0.0018, 0.0006}}};
  return tensors;
}

Exhibit ballardEigenpairs() {
  Exhibit exhibit{"ballard", "Section 2", "All eigenpairs of published tensors"};
  std::vector<std::vector<Cell>> rows;
  constexpr const char* kinds[] = {"maximum", "minimum", "saddle", "degenerate"};
  std::size_t published = 0, found = 0;
  for (const auto& known : publishedTensors()) {
    const fibers::SymmetricTensor tensor{known.m, known.n, known.entries};
    fibers::EigenpairOptions options;
    options.saddles = true;
    const auto pairs = fibers::findEigenpairs(tensor, options);
    published += known.values.size();
    for (std::size_t i = 0; i < std::max(pairs.size(), known.values.size()); ++i) {
      std::vector<Cell> row{known.name, i < known.values.size() ? Cell(known.values[i]) : Cell()};
      if (i < pairs.size()) {
        found += i < known.values.size() && std::abs(pairs[i].value - known.values[i]) < 6e-5;
        row.insert(row.end(), {format("%.4f", pairs[i].value), kinds[int(pairs[i].kind)],
                               format("%.4f, %.4f, %.4f", pairs[i].x[0], pairs[i].x[1], pairs[i].x[2]),
                               format("%.1e", fibers::residualOf(tensor, pairs[i]))});
      } else {
        row.resize(6);
      }
      rows.push_back(std::move(row));
    }
  }
  exhibit.table = plainTable({"Kolda & Mayo 2011", "published λ", "λ", "kind", "x", "‖A xᵐ⁻¹ − λx‖"}, rows);
  exhibit.remark = format(
      "%zu of %zu eigenvalues of the two tensors by which the method was introduced (four decimals), saddles "
      "included: the power method alone reaches maxima and minima, Newton's method from the same starts the "
      "rest. sulcus-cli eigenpairs does this for tensors of your own.",
      found, published);
  return exhibit;
}

Exhibit ballardFiberDirections() {
  Exhibit exhibit{"ballard", "Section 5", "Fibers of 1024 voxels, directions against truth"};
  const auto phantom = phantom::makeFibersPhantom({});
  fibers::FiberInput input;
  input.dwi = phantom.dwi, input.gradients = phantom.gradients, input.mask = phantom.mask;
  fibers::FiberOptions paper;
  paper.model = fibers::FiberModel::adc, paper.order = 4;
  paper.shift = fibers::ShiftRule::fixed, paper.alpha = 0;
  paper.startSet = fibers::StartSet::random, paper.starts = 128;
  const auto byPaper = fibers::findFibers(input, paper, {});
  fibers::FiberOptions csd;
  csd.model = fibers::FiberModel::csd;
  const auto byDefault = fibers::findFibers(input, csd, {});
  const auto paperRows = comparePeaksWithTruth(byPaper.peaks, *phantom.truth);
  const auto ourRows = comparePeaksWithTruth(byDefault.peaks, *phantom.truth);
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < paperRows.size(); ++i)
    rows.push_back({paperRows[i].quantity, "not printed", shownValue(paperRows[i]), shownValue(ourRows[i])});
  exhibit.table =
      plainTable({"of the voxels", "published", "the paper's model: apparent diffusion, order 4, shift 0",
                  "Sulcus' default: deconvolution, " + format("order %d", byDefault.order)},
                 std::move(rows));
  exhibit.drawings = {
      {"Apparent diffusion of order 4 (orange) over the true fibers (white)",
       svgOfSticks(byPaper.peaks, *phantom.truth)},
      {"Deconvolution (orange) over the true fibers (white)", svgOfSticks(byDefault.peaks, *phantom.truth)}};
  exhibit.remark =
      "The paper's set of 1024 voxels from the University of Utah is not public and its directions are not "
      "printed, so a phantom of 1024 voxels with one and two fibers stands in (b = 3000 s/mm², SNR 30), with "
      "known truth. Along a single fiber nearly all signal is gone at this b, and the noise turns the "
      "maximum; where fibers cross, the maxima of the apparent diffusion coefficient do not point along "
      "them, however exactly they are found. These are limits of the model and the reason why deconvolution "
      "is the default.";
  return exhibit;
}

Exhibit ballardOtherTensors(const PapersOptions& options, const Machine& machine) {
  Exhibit exhibit{"ballard", "Section 7", "Tensors of other orders and dimensions"};
  std::vector<std::vector<Cell>> rows;
  const int starts = options.quick ? 32 : 128, steps = 60;
  const double cpuFlop = options.quick ? 1e7 : 2e8, gpuFlop = 4e10;
  for (const auto& [m, n] :
       {std::pair{3, 2}, {4, 2}, {6, 2}, {8, 2}, {3, 3}, {4, 3}, {6, 3}, {8, 3}, {4, 4}, {6, 6}}) {
    const bool unrolls = withUnrolled(m, n, [](auto, auto) {});
    const double flop = double(starts) * steps * paperFlops(m, n);
    const auto workFor = [&](double all) {
      return powerMethodWork(
          m, n, int(std::clamp(all / flop, double(std::min(machine.threads, 16)), 50'000.0)), starts, steps);
    };
    const auto rate = [&](const PowerMethodWork& work, const PowerMethodEnds& ends) -> Cell {
      return flop * work.tensors / ends.seconds * 1e-9;
    };
    const auto work = workFor(cpuFlop);
    std::vector<Cell> row{std::int64_t(m), std::int64_t(n), std::int64_t(indexClassCount(m, n))};
    PowerMethodEnds reference;
    for (const int threads : {1, 0})
      for (const bool unrolled : {false, true}) {
        if (unrolled && !unrolls) {
          row.push_back("–");
          continue;
        }
        withThreads(threads, [&] {
          const auto ends = powerMethodOnCpu(work, unrolled);
          row.push_back(rate(work, ends));
          if (!unrolled) reference = ends;
        });
      }
    if (machine.hasGpu) {
      const auto large = workFor(gpuFlop);
      double difference = 0;
      for (const bool unrolled : {false, true}) {
        if (unrolled && !unrolls) {
          row.push_back("–");
          continue;
        }
        const auto ends = powerMethodOnGpu(large, unrolled);
        row.push_back(rate(large, ends));
        for (std::size_t i = 0; i < std::min(ends.values.size(), reference.values.size()); ++i)
          difference = std::max(difference, std::abs(double(ends.values[i]) - reference.values[i]));
      }
      row.push_back(format("%.1e", difference));
    } else {
      row.insert(row.end(), {"no GPU here", "no GPU here", Cell()});
    }
    row.push_back(format("%.1e", medianResidual(work, reference)));
    rows.push_back(std::move(row));
    options.tell(format("tensors of order %d, dimension %d", m, n));
  }
  exhibit.table = plainTable({"m", "n", "unique entries", "1 thread, general", "1 thread, unrolled",
                              "all threads, general", "all threads, unrolled", "GPU, general",
                              "GPU, unrolled", "λ: GPU − CPU at most", "median ‖A xᵐ⁻¹ − λx‖"},
                             std::move(rows));
  exhibit.remark =
      text("Gflop/s in the paper's count; the paper leaves other orders and dimensions to the future. ",
           steps, " steps from each of ", starts,
           " starts, by the paper's kernels as it prints them: without vector units and without a test of "
           "convergence, as in Table 6.1. The gain from unrolling grows with the order until the code no "
           "longer fits: (6, 6) with its 462 entries is left to the loops.");
  return exhibit;
}

}  // namespace sulcus::bench
