#include "core/activation/contrasts.h"

#include "core/activation/design.h"
#include "core/activation/names.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/printable.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

namespace sulcus::activation {
namespace {

using Names = std::vector<std::string>;

constexpr double kSmallestWeight = 1e-6, kLargestWeight = 1e6;  // maps have single precision
constexpr const char* kHowTo = "give one number per regressor, or a sum such as 'visual - auditory'";

[[noreturn]] void refuse(std::string_view contrast, const std::string& problem, const std::string& why,
                         const std::string& whatToDo = kHowTo) {
  throw Error("The contrast '" + printable(contrast, 60) + "' " + problem, why, whatToDo, ErrorKind::usage);
}

bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at; (at = text.find(separator)) != text.npos; text.remove_prefix(at + 1))
    parts.push_back(text.substr(0, at));
  parts.push_back(text);
  return parts;
}

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Whether commas are decimal points: some stand within numbers, and the numbers are parted by blanks alone.
bool hasDecimalCommas(std::string_view text) {
  text = trimmed(text);
  bool within = false, blanksAlone = false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool inside = i + 1 < text.size() && isDigit(text[i - 1]) && isDigit(text[i + 1]);
    within = within || (text[i] == ',' && inside);
    if (isBlank(text[i]) || !isBlank(text[i - 1])) continue;  // the end of a gap is looked for
    const auto before = std::find_if_not(text.rend() - std::ptrdiff_t(i), text.rend(), isBlank);
    blanksAlone = blanksAlone || (text[i] != ',' && *before != ',');
  }
  return within && blanksAlone;
}

/// Numbers separated by blanks or commas; nothing when the text holds anything else.
std::optional<std::vector<double>> numberList(std::string_view given) {
  std::vector<double> numbers;
  std::string text(given);
  if (hasDecimalCommas(given)) std::ranges::replace(text, ',', '.');
  const auto parts = [](char c) { return isBlank(c) || c == ','; };
  for (std::size_t at = 0; at < text.size();) {
    if (parts(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !parts(text[end])) ++end;
    const auto value = numberIn(std::string_view(text).substr(at, end - at));
    if (!value) return {};
    numbers.push_back(*value);
    at = end;
  }
  if (numbers.size() == 1 && !std::isfinite(numbers.front())) return {};  // a name that reads as a number
  return numbers;
}

/// Parses `term ± term …`, where each term is a regressor with an optional number and an optional * before
/// it.
class SumParser {
 public:
  SumParser(std::string_view text, const Names& regressors)
      : text_(text), left_(text), regressors_(regressors), weights_(regressors.size(), 0.0) {}

  std::vector<double> parse() {
    double sign = 1;
    bool first = true;
    for (skipBlanks(); !left_.empty() || first; skipBlanks()) {
      if (left_.starts_with('+') || left_.starts_with('-')) {
        sign = left_.front() == '-' ? -1 : 1;
        left_.remove_prefix(1);
      } else if (!first) {
        refuse(text_, "cannot be read at '" + printable(left_, 60) + "'", "a + or - was expected");
      }
      first = false;
      addTerm(sign);
    }
    return weights_;
  }

 private:
  void skipBlanks() { left_ = trimmed(left_); }

  void addTerm(double weight) {
    skipBlanks();
    double factor = 1;
    const auto [end, fault] = std::from_chars(left_.data(), left_.data() + left_.size(), factor);
    if (fault == std::errc() && (std::isdigit(static_cast<unsigned char>(left_[0])) || left_[0] == '.')) {
      weight *= factor;
      left_.remove_prefix(std::size_t(end - left_.data()));
      skipBlanks();
      if (left_.starts_with('*')) left_.remove_prefix(1), skipBlanks();
    }
    weights_[takeRegressor()] += weight;
  }

  static bool continuesName(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  }

  /// Consumes the longest regressor name at the current position and returns its index. The longest one
  /// counts because names may contain a minus sign.
  std::size_t takeRegressor() {
    std::size_t found = regressors_.size(), length = 0;
    for (std::size_t r = 0; r < regressors_.size(); ++r) {
      const std::string& name = regressors_[r];
      const bool whole =
          left_.starts_with(name) && (left_.size() == name.size() || !continuesName(left_[name.size()]));
      if (whole && name.size() > length) found = r, length = name.size();
    }
    if (found < regressors_.size()) {
      left_.remove_prefix(length);
      return found;
    }
    if (left_.empty()) refuse(text_, "ends too early", "a regressor was expected");
    const auto end = std::find_if(left_.begin(), left_.end(), isBlank);
    refuse(text_, "names no regressor with '" + printable({left_.begin(), end}, 60) + "'",
           "the regressors are " + listed(regressors_));
  }

  std::string_view text_, left_;
  const Names& regressors_;
  std::vector<double> weights_;
};

std::vector<double> weightsOf(std::string_view text, const Names& regressors) {
  const auto numbers = numberList(text);
  std::vector<double> weights = numbers ? *numbers : SumParser(text, regressors).parse();
  if (weights.size() != regressors.size())
    refuse(text, "has " + counted(std::int64_t(weights.size()), "number"),
           "the design has " + std::to_string(regressors.size()) + " regressors: " + listed(regressors));
  for (const double weight : weights) {
    if (!std::isfinite(weight)) refuse(text, "holds a weight that is not finite", "no sum could be made");
    const double size = std::abs(weight);
    if (weight != 0 && (size < kSmallestWeight || size > kLargestWeight))
      refuse(text, "holds the weight " + numberText(weight), "the sum of effects would lose its digits",
             "give weights from 0.000001 to 1000000");
  }
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; }))
    refuse(text, "has only zeros", "it compares nothing");
  return weights;
}

/// A name for a contrast without one, fit for file names: "faces-houses", "x2_visual-auditory".
std::string nameOf(const std::vector<double>& weights, const Names& regressors) {
  std::string name;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    const double weight = weights[r];
    if (weight == 0) continue;
    if (weight < 0) name += name.empty() ? "minus_" : "-";
    if (weight > 0 && !name.empty()) name += "_plus_";
    if (std::abs(weight) != 1)
      name.append(name.empty() ? "x" : "").append(numberText(std::abs(weight))).append("_");
    name += regressors[r];
  }
  return name;
}

/// The regressor that has the weight 1 when all others have 0; nothing otherwise.
std::optional<std::size_t> soleRegressor(const std::vector<double>& weights) {
  std::optional<std::size_t> sole;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (weights[r] == 0) continue;
    if (weights[r] != 1 || sole) return {};
    sole = r;
  }
  return sole;
}

}  // namespace

std::vector<Contrast> parseContrasts(std::string_view text, const Names& regressors) {
  std::vector<Contrast> contrasts;
  Names taken = regressors;
  for (const std::string_view whole : split(text, ';')) {
    const std::string_view part = trimmed(whole);
    if (part.empty()) continue;
    const auto colon = part.rfind(':');
    const std::string_view given = colon == part.npos ? "" : trimmed(part.substr(0, colon));
    const std::string_view body = colon == part.npos ? part : trimmed(part.substr(colon + 1));
    if (body.empty()) refuse(part, "has a name and nothing else", "there is nothing to weigh");
    Contrast contrast{"", weightsOf(body, regressors)};
    if (const auto sole = soleRegressor(contrast.weights);
        sole && (given.empty() || given == regressors[*sole]))
      contrast.name = regressors[*sole];
    else
      contrast.name = uniqueName(
          fileSafeName(given.empty() ? nameOf(contrast.weights, regressors) : std::string(given), "contrast"),
          taken);
    taken.push_back(contrast.name);
    contrasts.push_back(std::move(contrast));
  }
  return contrasts;
}

std::vector<Contrast> allContrasts(std::string_view text, const Names& regressors) {
  std::vector<Contrast> contrasts;
  for (std::size_t r = 0; r < regressors.size(); ++r) {
    contrasts.push_back({regressors[r], std::vector<double>(regressors.size(), 0.0)});
    contrasts.back().weights[r] = 1;
  }
  for (auto& contrast : parseContrasts(text, regressors)) {
    const auto known = std::find_if(contrasts.begin(), contrasts.end(),
                                    [&](const Contrast& c) { return c.name == contrast.name; });
    if (known == contrasts.end()) contrasts.push_back(std::move(contrast));
  }
  return contrasts;
}

std::vector<Contrast> shownContrasts(std::string_view text, const std::vector<std::string>& regressors) {
  auto contrasts = allContrasts(text, regressors);
  std::rotate(contrasts.begin(), contrasts.begin() + 1, contrasts.end());
  return contrasts;
}

void checkContrasts(std::string_view text, const Design& design) {
  try {
    allContrasts(text, design.names);
  } catch (const Error&) {
    if (design.confoundNames.empty()) throw;
    Names all = design.names;
    all.insert(all.end(), design.confoundNames.begin(), design.confoundNames.end());
    try {
      allContrasts(text, all);
    } catch (const Error&) {
      all.clear();
    }
    if (all.empty()) throw;
    refuse(text, "weighs confounds", "they are taken out of the series and have no effects",
           "make effects of them by 'Confounds in the model' (--model-confounds)");
  }
}

}  // namespace sulcus::activation
