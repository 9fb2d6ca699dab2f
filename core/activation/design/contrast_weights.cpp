#include "core/activation/design/contrast_weights.h"

#include "core/activation/design/contrast_text.h"
#include "core/activation/design/contrasts.h"
#include "core/activation/design/names.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace sulcus::activation {
namespace {

constexpr double kSmallestWeight = 1e-6, kLargestWeight = 1e6;  // maps have single precision
constexpr const char* kHowTo = "give one number per regressor, or a sum such as 'visual - auditory'";

[[noreturn]] void refuse(std::string_view contrast, const std::string& problem, const std::string& why,
                         const std::string& whatToDo = kHowTo) {
  refuseContrast(contrast, problem, why, whatToDo);
}

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Whether commas are decimal points: some occur within numbers, and the numbers are separated only by
/// spaces.
bool hasDecimalCommas(std::string_view text) {
  text = trimmed(text);
  bool within = false, blanksAlone = false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool inside = i + 1 < text.size() && isDigit(text[i - 1]) && isDigit(text[i + 1]);
    within = within || (text[i] == ',' && inside);
    if (isBlank(text[i]) || !isBlank(text[i - 1])) continue;  // search for the end of a gap
    const auto before = std::find_if_not(text.rend() - std::ptrdiff_t(i), text.rend(), isBlank);
    blanksAlone = blanksAlone || (text[i] != ',' && *before != ',');
  }
  return within && blanksAlone;
}

/// Numbers separated by blanks or commas; nullopt if the text contains anything else.
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
  SumParser(std::string_view text, const Regressors& regressors)
      : text_(text), left_(text), regressors_(regressors), weights_(regressors.all.size(), 0.0) {}

  std::vector<double> parse() {
    double sign = 1;
    bool first = true;
    for (skipBlanks(); !left_.empty() || first; skipBlanks()) {
      if (left_.starts_with('+') || left_.starts_with('-')) {
        sign = left_.front() == '-' ? -1 : 1;
        left_.remove_prefix(1);
      } else if (!first) {
        refuse(text_, "cannot be read at " + inQuotes(left_), "a + or - was expected");
      }
      first = false;
      addTerm(sign);
    }
    return weights_;
  }

 private:
  struct Found {
    std::size_t regressor, length;
  };

  void skipBlanks() { left_ = trimmed(left_); }

  void addTerm(double weight) {
    skipBlanks();
    const auto isFactor = [&](const Found& name) {  // "2*1" where 2 is a name, too
      return numberIn(left_.substr(0, name.length)) && trimmed(left_.substr(name.length)).starts_with('*');
    };
    if (const auto name = nameAt(left_); name && !isFactor(*name)) return take(*name, weight);
    // "2e1" is read as 20 or as 2 times e1, whichever is followed by a name.
    for (const auto format : {std::chars_format::general, std::chars_format::fixed}) {
      double factor = 1;
      const auto [end, fault] = std::from_chars(left_.data(), left_.data() + left_.size(), factor, format);
      if (fault != std::errc() || !(isDigit(left_[0]) || left_[0] == '.')) break;
      std::string_view rest = left_.substr(std::size_t(end - left_.data()));
      const bool parted = rest.empty() || !continuesName(rest[0]);  // otherwise it may be an unknown name
      rest = trimmed(rest);
      if (rest.starts_with('*')) rest = trimmed(rest.substr(1));
      if (const auto name = nameAt(rest)) {
        left_ = rest;
        return take(*name, weight * factor);
      }
      if (format == std::chars_format::fixed && parted) left_ = rest;
    }
    refuseName();
  }

  void take(const Found& found, double weight) {
    left_.remove_prefix(found.length);
    weights_[found.regressor] += weight;
  }

  static bool continuesName(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  }

  /// The regressor of this name. Names in events or design take precedence over those of files.
  std::optional<std::size_t> called(std::string_view name) const {
    for (const auto& member : {&Regressors::One::given, &Regressors::One::name})
      for (std::size_t r = 0; r < regressors_.all.size(); ++r)
        if (regressors_.all[r].*member == name) return r;
    return {};
  }

  /// The longest name of a regressor at the start of `text`. The longest one is used because names may
  /// contain signs and blanks.
  std::optional<Found> nameAt(std::string_view text) const {
    if (!text.empty())
      if (const auto end = endOfQuotes(text, 0); end != text.npos)
        if (const auto quoted = called(text.substr(1, end - 2))) return Found{*quoted, end};
    std::size_t length = 0;
    for (const auto& one : regressors_.all)
      for (const std::string* name : {&one.given, &one.name})
        if (name->size() > length && text.starts_with(*name) &&
            (text.size() == name->size() || !continuesName(text[name->size()])))
          length = name->size();
    if (length == 0) return {};
    return Found{*called(text.substr(0, length)), length};
  }

  [[noreturn]] void refuseName() {
    if (left_.empty()) refuse(text_, "ends too early", "a regressor was expected");
    const auto quotes = endOfQuotes(left_, 0);
    if (quotes == left_.npos && (left_[0] == '"' || left_[0] == '\''))
      refuse(text_, "has a quotation mark without a second one", "it is not clear where the name ends");
    const auto end = quotes != left_.npos ? left_.begin() + std::ptrdiff_t(quotes)
                                          : std::find_if(left_.begin(), left_.end(), isBlank);
    const std::string name = sanitizedForDisplay({left_.begin(), end}, 60);
    if (regressors_.mayLack && (quotes != left_.npos || continuesName(left_[0])))
      throw NotEstimable{"there is no '" + name + "' among the events; the regressors are " +
                         listed(regressors_.names)};
    refuse(text_, "names no regressor with '" + name + "'",
           "the regressors are " + listed(regressors_.names));
  }

  std::string_view text_, left_;
  const Regressors& regressors_;
  std::vector<double> weights_;
};

void checkWeights(std::string_view text, const std::vector<double>& weights) {
  for (const double weight : weights) {
    if (!std::isfinite(weight)) refuse(text, "holds a weight that is not finite", "no sum could be made");
    const double size = std::abs(weight);
    if (weight != 0 && (size < kSmallestWeight || size > kLargestWeight))
      refuse(text, "holds the weight " + numberText(weight), "the sum of effects would lose precision",
             "give weights from 0.000001 to 1000000");
  }
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; }))
    refuse(text, "has only zeros", "it compares nothing");
}

/// The weights of the regressors with an effect, k numbers, from those of all regressors.
std::vector<double> withEffect(const std::vector<double>& ofAll, const Regressors& regressors) {
  std::vector<double> weights;
  for (std::size_t r = 0; r < ofAll.size(); ++r) {
    const auto& one = regressors.all[r];
    if (one.why.empty())
      weights.push_back(ofAll[r]);
    else if (ofAll[r] != 0)
      throw NotEstimable{inQuotes(one.given) + " has no effect here: " + one.why};
  }
  return weights;
}

std::vector<double> sumOf(std::string_view text, const Regressors& regressors) {
  const std::vector<double> weights = SumParser(text, regressors).parse();
  checkWeights(text, weights);
  return withEffect(weights, regressors);
}

std::vector<double> weightsOf(std::string_view text, const Regressors& regressors) {
  const auto numbers = numberList(text);
  if (!numbers) return sumOf(text, regressors);
  if (numbers->size() == regressors.all.size() || numbers->size() == regressors.names.size()) {
    checkWeights(text, *numbers);
    return numbers->size() == regressors.all.size() ? withEffect(*numbers, regressors) : *numbers;
  }
  if (numbers->size() == 1) try {  // a name that is a number
      Regressors known = regressors;
      known.mayLack = false;
      return sumOf(text, known);
    } catch (const Error&) {
    }
  refuse(text, "has " + counted(std::int64_t(numbers->size()), "number"),
         "the design has " + std::to_string(regressors.names.size()) +
             " regressors: " + listed(regressors.names));
}

}  // namespace

NamedWeights namedWeights(std::string_view part, const Regressors& regressors) {
  std::vector<std::size_t> colons = placesOf(':', part);
  if (colons.empty()) return {"", weightsOf(part, regressors)};
  Regressors known = regressors;
  known.mayLack = false;
  try {
    return {"", weightsOf(part, known)};
  } catch (const Error&) {  // it has a name
  }
  const std::size_t last = colons.back();
  colons.pop_back();
  for (const std::size_t colon : colons) try {
      return {trimmed(part.substr(0, colon)), weightsOf(trimmed(part.substr(colon + 1)), known)};
    } catch (const Error&) {  // the name is longer
    }
  const std::string_view body = trimmed(part.substr(last + 1));
  if (body.empty()) refuse(part, "has a name and nothing else", "there is nothing to weigh");
  return {trimmed(part.substr(0, last)), weightsOf(body, regressors)};
}

}  // namespace sulcus::activation
