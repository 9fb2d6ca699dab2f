#include "core/activation/design/design.h"

#include "core/activation/design/design_builder.h"
#include "core/activation/design/events.h"
#include "core/activation/design/hemodynamics.h"
#include "core/activation/design/names.h"
#include "core/activation/design/scan_times.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace sulcus::activation {
namespace {

constexpr double kShortestTr = 0.05, kLongestTr = 30;  // s

/// Whether all entries are equal up to rounding.
bool isConstant(const Eigen::VectorXd& column) {
  constexpr double kRounding = 1e-12;
  return (column.array() - column[0]).abs().maxCoeff() <= kRounding * std::abs(column[0]);
}

/// Adds the non-constant cosines of the discrete cosine transform with periods of at least highPass seconds:
/// those of SPM's high-pass filter (spm_dctmtx), with amplitude 1.
void addCosines(DesignBuilder& builder, double secondsPerVolume, double highPass) {
  const auto n = double(builder.scans());
  const int count = highPass > 0 ? int(std::min(n - 1, std::floor(2 * n * secondsPerVolume / highPass))) : 0;
  for (int k = 1; k <= count; ++k) {
    Eigen::VectorXd column(builder.scans());
    for (Eigen::Index t = 0; t < column.size(); ++t)
      column[t] = std::cos(std::numbers::pi * k * (2 * double(t) + 1) / (2 * n));
    builder.addConfound(column, "cosine" + std::to_string(k));
  }
  builder.note(count > 0 ? "Drift: cosines with periods of " + numberText(highPass) +
                               " s and more: " + std::to_string(count) + "."
                         : "Drift: no cosine has a period of " + numberText(highPass) + " s in this run.");
}

/// Adds the Legendre polynomials of degree 1 to `degree` on the interval [−1, 1], which represents the run.
void addPolynomials(DesignBuilder& builder, int degree) {
  const Eigen::Index n = builder.scans();
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, -1, 1);
  Eigen::VectorXd before = Eigen::VectorXd::Ones(n), current = x;
  for (int d = 1; d <= degree; ++d) {
    builder.addConfound(current, "drift" + std::to_string(d));
    Eigen::VectorXd next = ((2 * d + 1) * x.cwiseProduct(current) - d * before) / (d + 1);
    before = std::move(current);
    current = std::move(next);
  }
}

void addDrift(DesignBuilder& builder, Drift drift, double secondsPerVolume, const DesignOptions& options) {
  if (drift == Drift::cosine)
    addCosines(builder, repetitionTime(secondsPerVolume, options), options.highPass);
  if (drift == Drift::polynomial) addPolynomials(builder, options.polynomial);
}

}  // namespace

const TableLayer& tableIn(const Layer& layer, const char* role) {
  if (const auto* table = std::get_if<TableLayer>(&layer.content)) return *table;
  throw Error("'" + layer.name + "' is not a " + role, "it holds " + kindWithArticle(layer),
              "choose a table with one row per scan");
}

Eigen::VectorXd columnIn(const Layer& layer, const TableLayer& table, std::size_t c, bool* filled) {
  Eigen::VectorXd column(std::ssize(table.rows));
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& cell = table.rows[row][c];
    const auto value = numberIn(cell);
    if (value && std::isfinite(*value)) {
      column[Eigen::Index(row)] = *value;
    } else if (filled && row == 0 && (isMissing(cell) || value)) {
      column[0] = 0;
      *filled = true;
    } else {
      throw Error("'" + layer.name + "' row " + std::to_string(row + 1) + ", column '" + table.columns[c] +
                      "' holds '" + cell + "'",
                  "a regressor is one finite number per scan", "correct it, or remove the column");
    }
  }
  return column;
}

std::vector<std::string> namesIn(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(";,", at), text.size());
    std::string name = text.substr(at, end - at);
    name.erase(0, name.find_first_not_of(" \t"));
    name.erase(name.find_last_not_of(" \t") + 1);
    if (!name.empty()) names.push_back(std::move(name));
    at = end + 1;
  }
  return names;
}

Eigen::MatrixXd Design::allColumns() const {
  Eigen::MatrixXd all(scans(), matrix.cols() + confounds.cols());
  all << matrix, confounds;
  return all;
}

std::vector<std::string> Design::allNames() const {
  std::vector<std::string> all = names;
  all.insert(all.end(), confoundNames.begin(), confoundNames.end());
  return all;
}

Eigen::MatrixXd Design::withoutConfounds(const Eigen::MatrixXd& columns) const {
  if (confounds.cols() == 0) return columns;
  const Eigen::MatrixXd q = thinQr(confounds).q;
  return columns - q * (q.transpose() * columns);
}

Design withModelledConfounds(Design design) {
  design.matrix = design.allColumns();
  design.names = design.allNames();
  if (!design.given.empty())
    design.given.insert(design.given.end(), design.confoundNames.begin(), design.confoundNames.end());
  design.confounds.resize(design.scans(), 0);
  design.confoundNames.clear();
  return design;
}

double repetitionTime(double secondsPerVolume, const DesignOptions& options) {
  const double tr = options.tr > 0 ? options.tr : secondsPerVolume;
  if (!(tr > 0))
    throw Error("The time between scans is not known", "the scan's header does not say it",
                "give it as seconds per scan ({tr})"_message);
  if (tr > kShortestTr && tr <= kLongestTr) return tr;
  throw Error("The time between scans is given as " + numberText(tr) + " s",
              "a volume takes between " + numberText(kShortestTr) + " and " + numberText(kLongestTr) + " s",
              "give the right number of seconds per scan ({tr})"_message);
}

Design designFromTable(const Layer& layer, const Layer* confounds, double secondsPerVolume,
                       const DesignOptions& options) {
  const TableLayer& table = tableIn(layer, "design");
  if (table.rows.empty() || table.columns.empty())
    throw Error("The design '" + layer.name + "' is empty", "it has no rows or no columns",
                "give a table with one row per scan");
  if (table.columns.size() > table.rows.size())
    throw Error("The design '" + layer.name + "' has " + std::to_string(table.columns.size()) +
                    " columns and " + std::to_string(table.rows.size()) + " rows",
                "there must be fewer regressors than scans",
                "give one row per scan, one column per regressor");
  DesignBuilder builder(std::ssize(table.rows));
  std::string intercept;  // name of the constant column
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    Eigen::VectorXd column = columnIn(layer, table, c);
    if (intercept.empty() && isConstant(column) && column[0] != 0) {
      intercept = table.columns[c];
      builder.callIntercept(intercept);
      if (c > 0 || column[0] != 1)
        builder.note("The constant column '" + intercept +
                     "' became the intercept: the first column, all 1.");
      continue;
    }
    builder.add(column, fileSafeName(table.columns[c], "reg"), table.columns[c]);
  }
  if (intercept.empty()) builder.note("An intercept was added.");
  if (options.derivatives != Derivatives::none || !options.modulators.empty() || !options.modulation.empty())
    builder.note("Derivatives and modulators are made from events only.");
  addConfounds(builder, confounds, options);
  addDrift(builder, options.drift, secondsPerVolume, options);
  return builder.take();
}

namespace {

/// Adds the regressors of events: the canonical response and its derivatives.
void addResponse(DesignBuilder& builder, const std::string& name, const std::string& given,
                 std::span<const Event> events, std::span<const double> times, const DesignOptions& options) {
  static constexpr struct {
    ResponsePart part;
    const char* ending;
  } kParts[] = {{ResponsePart::canonical, ""},
                {ResponsePart::timeDerivative, "_derivative"},
                {ResponsePart::dispersionDerivative, "_dispersion"}};
  std::vector<int> columns;
  for (const auto& [part, ending] : std::span(kParts).first(1 + std::size_t(options.derivatives))) {
    const auto signal = expectedSignal(events, times, part);
    columns.push_back(builder.columns());
    builder.add(Eigen::Map<const Eigen::VectorXd>(signal.data(), builder.scans()), name + ending,
                given + ending);
  }
  if (columns.size() > 1) builder.setResponse(std::move(columns));
}

/// The events with their amplitudes multiplied by the deviation of modulator `m` from its mean; empty if it
/// does not vary. Those without a value have amplitude 0, that of the mean.
std::vector<Event> modulated(std::vector<Event> events, std::size_t m) {
  double sum = 0, low = INFINITY, high = -INFINITY;
  int known = 0;
  for (const Event& event : events)
    if (const double value = event.modulation[m]; !std::isnan(value)) {
      sum += value;
      ++known;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (!(high > low)) return {};
  for (Event& event : events) {
    const double value = event.modulation[m];
    event.amplitude *= std::isnan(value) ? 0 : value - sum / known;
  }
  return events;
}

}  // namespace

Design designFromEvents(const Layer& layer, const Layer* confounds, double secondsPerVolume, int scans,
                        const DesignOptions& options, const ScanTiming& timing) {
  const ScanTimes times = scanTimes(secondsPerVolume, scans, options, timing);
  const double tr = times.tr;
  const std::vector<std::string> asked = namesIn(options.modulators);
  const EventTable table = readEvents(layer, times.end, asked, options.modulation);
  DesignBuilder builder(scans);
  builder.areEvents();
  for (const auto& note : table.notes) builder.note(note);
  for (std::size_t type = 0; type < table.types.size(); ++type) {
    std::vector<Event> events;
    std::copy_if(table.events.begin(), table.events.end(), std::back_inserter(events),
                 [&](const Event& event) { return event.type == int(type); });
    addResponse(builder, table.types[type], table.given[type], events, times.at, options);
    for (std::size_t m = 0; m < table.modulators.size(); ++m) {
      const std::string& modulator = table.modulators[m];
      if (const auto changed = modulated(events, m); changed.empty())
        builder.note("The modulator " + modulator + " does not vary in " + table.types[type] +
                     " and is left out there.");
      else
        addResponse(builder, table.types[type] + "_by_" + modulator, table.given[type] + "_by_" + asked[m],
                    changed, times.at, options);
    }
  }
  builder.note(
      "Events convolved with the canonical response at " + numberText(tr) + " s per scan" +
      (times.atShare ? ", " + numberText(100 * options.sliceTime) + " % of it after its start" : "") + ": " +
      std::to_string(table.events.size()) + " of " + listed(table.types) + ".");
  for (const auto& note : times.notes) builder.note(note);
  Drift drift = options.drift;
  if (addConfounds(builder, confounds, options) && drift == Drift::automatic) {
    drift = Drift::none;
    builder.note("Drift: the cosines of the confounds.");
  }
  addDrift(builder, drift == Drift::automatic ? Drift::cosine : drift, tr, options);
  return builder.take();
}

Design makeDesign(const Layer& table, const Layer* confounds, double secondsPerVolume, int scans,
                  const DesignOptions& options, const ScanTiming& timing) {
  Design design = holdsEvents(tableIn(table, "design"))
                      ? designFromEvents(table, confounds, secondsPerVolume, scans, options, timing)
                      : designFromTable(table, confounds, secondsPerVolume, options);
  if (!confounds && !options.confoundColumns.empty())
    design.notes.push_back("Columns of confounds were not used: no confounds are given.");
  if (design.scans() == scans) design = withoutEmptyColumns(std::move(design));
  checkDesign(design, scans);
  return design;
}

}  // namespace sulcus::activation
