#include "core/activation/design/contrasts.h"

#include "core/activation/design/contrast_text.h"
#include "core/activation/design/contrast_weights.h"
#include "core/activation/design/design.h"
#include "core/activation/design/names.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Core>

namespace sulcus::activation {
namespace {

using Names = std::vector<std::string>;

/// A name for a contrast without one, suitable for file names: "faces-houses", "x2_visual-auditory"; positive
/// terms come first.
std::string nameOf(const std::vector<double>& weights, const Names& regressors) {
  std::string name;
  const auto add = [&](double weight, const char* first, const char* sign, const std::string& regressor) {
    name += name.empty() ? first : sign;
    if (std::abs(weight) != 1) name += (name.empty() ? "x" : "") + numberText(std::abs(weight)) + "_";
    name += regressor;
  };
  for (std::size_t r = 0; r < weights.size(); ++r)
    if (weights[r] > 0) add(weights[r], "", "_plus_", regressors[r]);
  for (std::size_t r = 0; r < weights.size(); ++r)
    if (weights[r] < 0) add(weights[r], "minus_", "-", regressors[r]);
  return name;
}

/// The regressor with the weight 1 if all others have 0; otherwise nullopt.
std::optional<std::size_t> soleRegressor(const std::vector<double>& weights) {
  std::optional<std::size_t> sole;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (weights[r] == 0) continue;
    if (weights[r] != 1 || sole) return {};
    sole = r;
  }
  return sole;
}

/// Whether a text as a whole is one contrast of known regressors. "F(d: a - b" is not one that is called
/// "F(d".
bool readsAsOne(std::string_view text, const Regressors& regressors) {
  Regressors known = regressors;
  known.mayLack = false;
  try {
    const std::string_view name = namedWeights(text, known).name;
    return std::count(name.begin(), name.end(), '(') <= std::count(name.begin(), name.end(), ')');
  } catch (const Error&) {
    return false;
  } catch (const NotEstimable&) {
    return true;
  }
}

/// The rows of F(…).
std::vector<NamedWeights> rowsOf(std::string_view text, const Regressors& regressors) {
  auto parts = split(text, ';');
  std::erase_if(parts, [](std::string_view part) { return trimmed(part).empty(); });
  if (parts.size() == 1 && !readsAsOne(parts[0], regressors)) parts = split(text, ',');
  std::vector<NamedWeights> rows;
  for (const std::string_view part : parts) rows.push_back(namedWeights(trimmed(part), regressors));
  return rows;
}

/// The rows that are not linear combinations of earlier ones, judged by the length of their orthogonal part.
std::vector<std::vector<double>> independentOf(const std::vector<Contrast>& rows) {
  constexpr double kNothingNew = 1e-9;
  std::vector<std::vector<double>> independent;
  std::vector<Eigen::VectorXd> across;  // orthonormal
  for (const Contrast& row : rows) {
    Eigen::VectorXd rest = Eigen::Map<const Eigen::VectorXd>(row.weights.data(), std::ssize(row.weights));
    rest /= rest.norm();
    for (int pass = 0; pass < 2; ++pass)  // twice, for precision
      for (const auto& one : across) rest -= one.dot(rest) * one;
    if (rest.norm() < kNothingNew) continue;
    across.push_back(rest / rest.norm());
    independent.push_back(row.weights);
  }
  return independent;
}

/// Parses the option. Joint contrasts come last: their rows may be contrasts that occur anywhere in it.
class Parser {
 public:
  std::vector<Contrast> contrasts;
  std::vector<JointContrast> joint;

  Parser(std::string_view text, const Regressors& regressors, Notes* notes)
      : regressors_(regressors), taken_(regressors.names) {
    const auto parts =
        contrastTexts(text, [&](std::string_view part) { return readsAsOne(part, regressors); });
    for (const bool joint : {false, true})
      for (const ContrastText& part : parts) try {
          if (part.joint != joint) continue;
          if (joint)
            addJoint(part);
          else
            contrasts.push_back(named(namedWeights(part.whole, regressors_)));
        } catch (const NotEstimable& fault) {
          if (notes)
            notes->push_back(
                Note::warning("The contrast " + inQuotes(part.whole) + " is left out: " + fault.why + "."));
        }
  }

 private:
  std::string freeName(const std::string& name) {
    taken_.push_back(uniqueName(fileSafeName(name, "contrast"), taken_));
    return taken_.back();
  }

  Contrast named(NamedWeights read) {
    Contrast contrast{"", std::move(read.weights)};
    const std::string given(read.name);
    const auto sole = soleRegressor(contrast.weights);
    if (sole && (given.empty() || given == regressors_.names[*sole]))
      contrast.name = regressors_.names[*sole];
    else
      contrast.name = freeName(given.empty() ? nameOf(contrast.weights, regressors_.names) : given);
    return contrast;
  }

  /// A row that equals an existing contrast, whatever its name there, is that contrast unless it has its own
  /// name.
  Contrast rowOf(NamedWeights read) {
    const auto known = std::find_if(contrasts.begin(), contrasts.end(), [&](const Contrast& one) {
      return one.weights == read.weights && (read.name.empty() || read.name == one.name);
    });
    if (known != contrasts.end()) return *known;
    contrasts.push_back(named(std::move(read)));
    return contrasts.back();
  }

  void addJoint(const ContrastText& text) {
    auto rows = rowsOf(text.rows, regressors_);
    if (rows.empty()) refuseContrast(text.whole, "has no rows", "it tests nothing", "write F(a - b; b - c)");
    JointContrast one;
    if (!text.name.empty()) one.name = freeName(std::string(text.name));
    for (NamedWeights& row : rows) one.rows.push_back(rowOf(std::move(row)));
    one.independent = independentOf(one.rows);
    if (text.name.empty()) {
      std::string name = "F";
      for (const Contrast& row : one.rows) name += "_" + row.name;
      one.name = freeName(name);
    }
    joint.push_back(std::move(one));
  }

  const Regressors& regressors_;
  Names taken_;
};

}  // namespace

Regressors::Regressors(std::vector<std::string> namesAlone) : names(std::move(namesAlone)) {
  for (const auto& name : names) all.push_back({name, name, ""});
}

Regressors::Regressors(const Design& design) : mayLack(design.ofEvents), names(design.names) {
  auto left = design.leftOut.begin();
  for (std::size_t r = 0; r <= names.size(); ++r) {
    for (; left != design.leftOut.end() && left->before <= int(r); ++left)
      all.push_back({left->name, left->given, left->why});
    if (r < names.size()) all.push_back({names[r], r < design.given.size() ? design.given[r] : names[r], ""});
  }
}

std::vector<Contrast> parseContrasts(std::string_view text, const Regressors& regressors) {
  return Parser(text, regressors, nullptr).contrasts;
}

std::vector<JointContrast> jointContrasts(std::string_view text, const Regressors& regressors) {
  return Parser(text, regressors, nullptr).joint;
}

std::vector<Contrast> allContrasts(std::string_view text, const Regressors& regressors) {
  const Names& names = regressors.names;
  std::vector<Contrast> contrasts;
  for (std::size_t r = 0; r < names.size(); ++r) {
    contrasts.push_back({names[r], std::vector<double>(names.size(), 0.0)});
    contrasts.back().weights[r] = 1;
  }
  for (auto& contrast : parseContrasts(text, regressors)) {
    const auto known = std::find_if(contrasts.begin(), contrasts.end(),
                                    [&](const Contrast& c) { return c.name == contrast.name; });
    if (known == contrasts.end()) contrasts.push_back(std::move(contrast));
  }
  return contrasts;
}

std::vector<Contrast> shownContrasts(std::string_view text, const Regressors& regressors) {
  auto contrasts = allContrasts(text, regressors);
  std::rotate(contrasts.begin(), contrasts.begin() + 1, contrasts.end());
  return contrasts;
}

Notes checkContrasts(std::string_view text, const Design& design) {
  Notes notes;
  Regressors regressors(design);
  const auto ofConfounds = [&] {
    Names all = design.names;
    all.insert(all.end(), design.confoundNames.begin(), design.confoundNames.end());
    try {
      allContrasts(text, Regressors(all));
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  try {
    const auto joint = Parser(text, regressors, &notes).joint;
    if (!notes.empty() && !design.confoundNames.empty()) {
      regressors.mayLack = false;  // to distinguish confounds from conditions that did not occur
      allContrasts(text, regressors);
    }
    for (const JointContrast& one : joint)
      if (one.independent.size() < one.rows.size())
        notes.push_back("The rows of '" + one.name +
                        "' are linearly dependent: " + std::to_string(one.independent.size()) + " of " +
                        std::to_string(one.rows.size()) + " are independent; the others add nothing.");
    return notes;
  } catch (const Error&) {
    if (!design.confoundNames.empty() && ofConfounds())
      refuseContrast(text, "weighs confounds", "they are regressed out of the series and have no effects",
                     "turn them into effects by {model-confounds}"_message);
    if (notes.empty()) throw;
    return notes;
  }
}

}  // namespace sulcus::activation
