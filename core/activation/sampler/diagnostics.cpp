#include "core/activation/sampler/diagnostics.h"

#include "core/activation/sampler/gibbs.h"
#include "core/base/json_text.h"
#include "core/base/sentence.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace sulcus::activation {
namespace {

constexpr double kChanceShare = 0.01;  // share of the voxels above the limit that does not cause a warning
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double meanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// Autocovariance at a lag, with the divisor N.
double autocovariance(std::span<const double> deviations, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = lag; i < deviations.size(); ++i) sum += deviations[i] * deviations[i - lag];
  return sum / double(deviations.size());
}

/// The normal quantile of the probability p, 0 < p < 1, to 12 digits.
double normalQuantile(double p) {
  const double tail = std::min(p, 1 - p);
  double z = upperDeviate(tail);
  for (int i = 0; i < 2; ++i)  // Newton's method; one step leaves 1e-7
    z += (std::erfc(z / std::numbers::sqrt2) / 2 - tail) * std::sqrt(2 * std::numbers::pi) *
         std::exp(z * z / 2);
  return p < 0.5 ? -z : z;
}

/// Replaces each value by the normal score of its rank; see convergence().
std::vector<double> normalScores(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> scores(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = double(begin + 1 + end) / 2;
    const double score = normalQuantile((rank - 0.375) / (double(values.size()) + 0.25));
    for (std::size_t i = begin; i < end; ++i) scores[order[i]] = score;
  }
  return scores;
}

/// The half chains of n values each, concatenated, minus their means, and their variances.
struct Variances {
  std::vector<double> deviations;
  std::size_t n = 0;
  double within = 0, all = 0;  ///< W, var⁺

  std::size_t chains() const { return deviations.size() / n; }
  /// NaN if all scores are equal up to rounding.
  double rhat() const { return within > 1e-20 ? std::sqrt(all / within) : kNaN; }
};

Variances variances(std::vector<double> values, std::size_t n) {
  Variances found{std::move(values), n};
  const double m = double(found.chains()), size = double(n);
  std::vector<double> means;
  for (std::size_t c = 0; c < found.chains(); ++c) {
    const auto half = std::span(found.deviations).subspan(c * n, n);
    means.push_back(meanOf(half));
    for (double& x : half) x -= means.back();
    found.within += autocovariance(half, 0) * size / (size - 1) / m;
  }
  const double mean = meanOf(means);
  double between = 0;  // B/N
  for (const double x : means) between += (x - mean) * (x - mean) / (m - 1);
  found.all = (size - 1) / size * found.within + between;
  return found;
}

double effective(const Variances& of) {
  const double m = double(of.chains()), size = double(of.n);
  const auto correlation = [&](std::size_t lag) {
    double covariance = 0;
    for (std::size_t c = 0; c < of.chains(); ++c)
      covariance += autocovariance(std::span(of.deviations).subspan(c * of.n, of.n), lag) / m;
    return 1 - (of.within - covariance * size / (size - 1)) / of.all;
  };
  double sum = 0, last = std::numeric_limits<double>::infinity();
  for (std::size_t lag = 0; lag + 1 < of.n; lag += 2) {
    const double pair = lag == 0 ? 1 + correlation(1) : correlation(lag) + correlation(lag + 1);
    if (!(pair > 0)) break;
    last = std::min(last, pair);
    sum += last;
  }
  // With few draws, the first pair may be so small that nothing would be left to divide by.
  return m * size / std::max(2 * sum - 1, 1 / std::log10(m * size));
}

/// One value for each voxel (M) from one for each regressor and voxel (k, M). The result is NaN if all are.
template <class Choose>
std::vector<float> overRegressors(const ActivationResult& result, const std::vector<float>& values,
                                  Choose choose) {
  const std::size_t m = result.voxels.size();
  std::vector<float> chosen(m, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t j = 0; j < values.size(); j += m)
    for (std::size_t i = 0; i < m; ++i) chosen[i] = choose(chosen[i], values[j + i]);
  return chosen;
}

/// Whether V_β includes a covariance of these regressors.
bool mayVaryTogether(const GibbsProblem& problem, int i, int j) {
  return problem.block.empty() || problem.block[i] == problem.block[j];
}

/// The cell of a table as JSON: a number if it is one, "null" if unknown.
std::string cellJson(const std::string& cell) {
  if (cell == "n/a") return "null";
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool isNumber = error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
  return isNumber ? cell : jsonString(cell);
}

std::string textsJson(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const auto& text : texts) quoted.push_back(jsonString(text));
  return jsonList(quoted);
}

/// R̂ and effective draws over the voxels.
std::string voxelMapsJson(const ActivationResult& result, const ActivationDiagnostics& diagnostics) {
  const Vec3<int> worst =
      diagnostics.worstVoxel < 0 ? Vec3<int>{-1, -1, -1} : result.grid.voxel(diagnostics.worstVoxel);
  return JsonObject(0)
      .number("rhat_limit", kLargestRhat)
      .count("voxels_above", diagnostics.aboveLimit)
      .number("largest_rhat", diagnostics.worstRhat)
      .raw("at_voxel", text("[", worst.x, ", ", worst.y, ", ", worst.z, "]"))
      .number("smallest_ess", diagnostics.smallestEss)
      .number("median_ess", diagnostics.medianEss)
      .done();
}

std::string hyperJson(const HyperDiagnostic& hyper) {
  return JsonObject(0)
      .text("name", hyper.name)
      .text("group", hyper.group)
      .number("mean", hyper.mean)
      .number("sd", hyper.sd)
      .number("rhat", hyper.convergence.rhat)
      .number("ess", hyper.convergence.ess)
      .done();
}

}  // namespace

Convergence convergence(std::span<const double> draws, int chains) {
  const std::size_t length = draws.size() / std::size_t(chains), n = length / 2;
  const bool areFinite = std::all_of(draws.begin(), draws.end(), [](double x) { return std::isfinite(x); });
  if (n < 2 || !areFinite) return {kNaN, 0};
  // As in Stan, the middle draw of a chain of odd length is left out.
  std::vector<double> halves;
  for (int c = 0; c < chains; ++c)
    for (const std::size_t from : {std::size_t(0), length - n}) {
      const auto half = draws.subspan(std::size_t(c) * length + from, n);
      halves.insert(halves.end(), half.begin(), half.end());
    }
  std::vector<double> distances = halves, ordered = halves;
  std::sort(ordered.begin(), ordered.end());
  const double median =
      (ordered[ordered.size() / 2 - 1] + ordered[ordered.size() / 2]) / 2;  // for an even number
  for (double& x : distances) x = std::abs(x - median);
  const Variances bulk = variances(normalScores(halves), n), folded = variances(normalScores(distances), n);
  return std::isfinite(bulk.rhat()) ? Convergence{std::fmax(bulk.rhat(), folded.rhat()), effective(bulk)}
                                    : Convergence{kNaN, 0};
}

std::vector<std::string> deltaNames(const ActivationResult& result) {
  std::vector<std::string> names;
  for (const auto& regressor : result.design.names)
    for (const auto& covariate : result.covariateNames)
      names.push_back(text("Δ[", covariate, ", ", regressor, "]"));
  return names;
}

std::vector<std::string> vBetaNames(const ActivationResult& result) {
  std::vector<std::string> names;
  const auto& regressors = result.design.names;
  for (std::size_t i = 0; i < regressors.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) names.push_back("V[" + regressors[i] + ", " + regressors[j] + "]");
  return names;
}

std::vector<double> hyperDraws(const ActivationResult& result, const std::vector<double>& draws, int size,
                               int value, int group) {
  const auto kept = std::size_t(result.sampling.kept()), groups = result.groupNames.size();
  std::vector<double> chosen;
  chosen.reserve(kept * std::size_t(result.sampling.chains));
  for (std::size_t chain = 0; chain < std::size_t(result.sampling.chains); ++chain)
    for (std::size_t draw = 0; draw < kept; ++draw)
      chosen.push_back(draws[((chain * groups + std::size_t(group)) * kept + draw) * std::size_t(size) +
                             std::size_t(value)]);
  return chosen;
}

std::vector<float> largestRhat(const ActivationResult& result) {
  return overRegressors(result, result.samples->moments.rhat,
                        [](float a, float b) { return std::fmax(a, b); });
}

std::vector<float> smallestEss(const ActivationResult& result) {
  return overRegressors(result, result.samples->moments.ess,
                        [](float a, float b) { return std::fmin(a, b); });
}

ActivationDiagnostics diagnose(const ActivationResult& result) {
  ActivationDiagnostics found;
  const GibbsResult& samples = *result.samples;
  const int k = result.regressors(), q = int(result.covariateNames.size());
  const auto add = [&](const std::string& name, const std::vector<double>& draws, int size, int value,
                       int group) {
    const auto chosen = hyperDraws(result, draws, size, value, group);
    HyperDiagnostic hyper{name, result.groupNames[group], meanOf(chosen), 0,
                          convergence(chosen, result.sampling.chains)};
    for (const double x : chosen) hyper.sd += (x - hyper.mean) * (x - hyper.mean);
    hyper.sd = std::sqrt(hyper.sd / double(chosen.size() - 1));
    found.hyper.push_back(std::move(hyper));
  };
  const auto deltas = deltaNames(result), variances = vBetaNames(result);
  for (int group = 0; group < int(result.groupNames.size()); ++group) {
    for (int value = 0; value < q * k; ++value) add(deltas[value], samples.delta, q * k, value, group);
    for (int i = 0, name = 0; i < k; ++i)
      for (int j = 0; j <= i; ++j, ++name)
        if (mayVaryTogether(*result.problem, i, j))
          add(variances[name], samples.vBeta, k * k, i * k + j, group);
  }

  const auto rhats = largestRhat(result);
  for (std::size_t i = 0; i < rhats.size(); ++i) {
    found.aboveLimit += rhats[i] > float(kLargestRhat);
    if (!std::isfinite(rhats[i]) || (found.worstVoxel >= 0 && rhats[i] <= found.worstRhat)) continue;
    found.worstRhat = rhats[i];
    found.worstVoxel = result.voxels[i];
  }
  auto ess = smallestEss(result);
  std::erase_if(ess, [](float x) { return !std::isfinite(x); });
  if (!ess.empty()) {
    found.medianEss = upperMedian(std::span(ess));
    found.smallestEss = *std::min_element(ess.begin(), ess.end());
  }
  return found;
}

namespace {

/// R̂ with three decimals, rounded up, so that values above the limit also appear above it.
std::string rhatText(double rhat) { return numberText(std::ceil(1000 * rhat) / 1000); }

/// Draws with two significant digits, rounded up.
std::string drawsText(double draws) {
  const double unit = std::pow(10, std::floor(std::log10(draws)) - 1);
  return numberText(std::ceil(draws / unit) * unit);
}

/// The factor for the number of draws until R̂ is `limit`: R̂² − 1 is inversely proportional to that number.
double timesFor(double rhat, double limit) { return (rhat * rhat - 1) / (limit * limit - 1); }

double shareAbove(const ActivationResult& result, const ActivationDiagnostics& diagnostics) {
  return double(diagnostics.aboveLimit) / double(std::max<std::int64_t>(1, result.count()));
}

/// The requirement of a hyper-parameter, see furtherDraws().
double furtherDraws(const ActivationResult& result, const ActivationDiagnostics& diagnostics,
                    const HyperDiagnostic& hyper) {
  const auto& [rhat, ess] = hyper.convergence;
  if (!std::isfinite(rhat)) return 1;
  const double limit =
      rhatLimit(result.sampling.chains, result.sampling.kept(), ess, diagnostics.hyper.size());
  return std::max({1.0, kFewestEffective / ess, rhat > limit ? timesFor(rhat, limit) : 1.0});
}

}  // namespace

double rhatLimit(int chains, int kept, double ess, std::size_t quantities) {
  const double halves = 2.0 * chains, freedom = halves - 1;
  // χ² over its degrees of freedom as the cube of a normal number (Wilson & Hilferty, PNAS 17 (1931) 684).
  const double spread = 2 / (9 * freedom),
               root = 1 - spread + upperDeviate(0.05 / double(2 * quantities)) * std::sqrt(spread);
  const double worth = std::min(ess, double(chains) * kept);  // antithetic draws do not determine widths
  return std::max(kLargestRhat, std::sqrt(1 - 2.0 / kept + halves / worth * root * root * root));
}

double furtherDraws(const ActivationResult& result, const ActivationDiagnostics& diagnostics) {
  double times = 1;
  for (const auto& hyper : diagnostics.hyper)
    times = std::max(times, furtherDraws(result, diagnostics, hyper));
  if (shareAbove(result, diagnostics) > kChanceShare)
    times = std::max(times, timesFor(diagnostics.worstRhat, kLargestRhat));
  return times;
}

std::optional<Note> convergenceWarning(const ActivationResult& result,
                                       const ActivationDiagnostics& diagnostics) {
  const double times = furtherDraws(result, diagnostics);
  if (times <= 1) return std::nullopt;
  const HyperDiagnostic* worst = nullptr;
  double most = 1;
  int beyond = 0;
  for (const auto& hyper : diagnostics.hyper) {
    const double needed = furtherDraws(result, diagnostics, hyper);
    beyond += needed > 1;
    if (!(needed > most)) continue;
    most = needed;
    worst = &hyper;
  }
  const double share = shareAbove(result, diagnostics);
  std::string reasons;
  if (worst)
    reasons =
        text(beyond, " of ", diagnostics.hyper.size(), " hyperparameters have too few effective draws (",
             worst->name, " of ", worst->group, ": R̂ ", rhatText(worst->convergence.rhat), ", worth ",
             numberText(std::floor(worst->convergence.ess)), " independent draws of ", kFewestEffective, ")");
  if (worst && share > kChanceShare) reasons += ", ";
  if (share > kChanceShare)
    reasons += text("R̂ of ", 100 * share, " % of the voxels is above ", kLargestRhat, " (largest ",
                    rhatText(diagnostics.worstRhat), ")");
  return Note::warning("the chains have not converged: " + reasons + ".",
                       "Make more draws, about " + drawsText(times * result.sampling.draws) + ".", "draws");
}

std::string diagnosticsJson(const ActivationResult& result, const ActivationDiagnostics& diagnostics,
                            const TableLayer& shown) {
  std::vector<std::string> hyper, rows;
  for (const auto& one : diagnostics.hyper) hyper.push_back(hyperJson(one));
  for (const auto& row : shown.rows) {
    JsonObject cells(0);
    for (std::size_t c = 0; c < row.size(); ++c) cells.raw(shown.columns[c], cellJson(row[c]));
    rows.push_back(cells.done());
  }
  const GibbsOptions& sampling = result.sampling;
  JsonObject json;
  json.count("voxels", result.count())
      .count("scans", result.design.scans())
      .raw("regressors", textsJson(result.design.names))
      .raw("covariates", textsJson(result.covariateNames))
      .raw("groups", textsJson(result.groupNames))
      .count("chains", sampling.chains)
      .count("draws", sampling.draws)
      .count("burn_in", sampling.burnIn)
      .count("thinning", sampling.thinning)
      .count("kept", sampling.kept())
      .number("nu_e", result.problem->nuE)
      .number("nu", result.problem->nu)
      .number("a", result.problem->a)
      .raw("voxel_maps", voxelMapsJson(result, diagnostics))
      .raw("hyper_parameters", jsonList(hyper, 4))
      .raw("shown", jsonList(rows, 4))
      .raw("notes", textsJson({result.notes.begin(), result.notes.end()}));
  return json.done() + "\n";
}

}  // namespace sulcus::activation
