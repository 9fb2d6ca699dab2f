#pragma once

#include "core/base/note.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace sulcus::activation {

struct Design;

/// A contrast c'β, a weighted sum of coefficients.
struct Contrast {
  std::string name;             ///< unique, fit for file names
  std::vector<double> weights;  ///< c, one weight per regressor
};

/// Rows that are tested together: whether any of them differs from zero.
struct JointContrast {
  std::string name;                              ///< unique among the contrasts, fit for file names
  std::vector<Contrast> rows;                    ///< as they were given; each is a contrast, too
  std::vector<std::vector<double>> independent;  ///< the weights of those that are no sum of those before
};

/// What contrasts may weigh.
struct Regressors {
  struct One {
    std::string name;   ///< fit for files
    std::string given;  ///< as events or design have it; may be `name`
    std::string why;    ///< why it has no effect; empty: it has one
  };
  std::vector<One> all;            ///< as they were given, with those that were left out
  bool mayLack = false;            ///< other names are conditions that did not occur, not mistakes
  std::vector<std::string> names;  ///< k: of those that have an effect, in order

  Regressors(std::vector<std::string> namesAlone);  // NOLINT(google-explicit-constructor)
  Regressors(std::initializer_list<std::string> namesAlone) : Regressors(std::vector(namesAlone)) {}
  explicit Regressors(const Design& design);
};

/// Parses contrasts that are separated by ';', each with an optional name before ':'. A contrast is either k
/// weights separated by blanks or commas, or a sum of regressors: "0 1 0 0 0; faces-houses: 0 1 -1 0 0; 2
/// visual - auditory". Regressors have the names that events or design give them, or those of their files;
/// the longest that fits is taken, and before a number ("2back - 0back"). Names in quotation marks may hold
/// anything. A contrast without a name gets one made of its regressors; a single regressor keeps its own
/// name.
///
/// @param notes  receives a warning for each contrast that is left out, since it weighs what has no effect
/// @throws Error (usage) when the number of weights is not k, all are 0, one is too large or too small, or a
///               regressor is unknown and none may be lacking
std::vector<Contrast> parseContrasts(std::string_view text, const Regressors& regressors,
                                     Notes* notes = nullptr);

/// Those of `text` that are joint, "name: F(row; row)": the rows are contrasts, separated by ';', or by
/// commas where there is no ';' and they are not one contrast so. parseContrasts() has the rows among its
/// contrasts.
///
/// @throws Error (usage) as parseContrasts(), and for F without rows
std::vector<JointContrast> jointContrasts(std::string_view text, const Regressors& regressors);

/// A contrast for each regressor, under its own name, then the contrasts of `text` that are not among them.
std::vector<Contrast> allContrasts(std::string_view text, const Regressors& regressors);

/// allContrasts() in the order in which maps are shown: the intercept, which is the first regressor, comes
/// last.
std::vector<Contrast> shownContrasts(std::string_view text, const Regressors& regressors);

/// Checks that allContrasts() can read `text` with the regressors of a design. Returns a warning for each
/// contrast that it leaves out, and a note for each joint contrast whose rows depend on each other.
///
/// @throws Error (usage) as parseContrasts(); where `text` is of confounds it says that they are taken out
Notes checkContrasts(std::string_view text, const Design& design);

}  // namespace sulcus::activation
