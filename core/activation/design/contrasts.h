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
  std::string name;             ///< unique, suitable for file names
  std::vector<double> weights;  ///< c, one weight per regressor
};

/// Rows that are tested together for whether any of them differs from zero.
struct JointContrast {
  std::string name;                              ///< unique among the contrasts, suitable for file names
  std::vector<Contrast> rows;                    ///< as given; each is also a contrast
  std::vector<std::vector<double>> independent;  ///< weights of those that are not linear combinations of
                                                 ///< earlier ones
};

/// The regressors available to contrasts.
struct Regressors {
  struct One {
    std::string name;   ///< suitable for files
    std::string given;  ///< as in events or design; may equal `name`
    std::string why;    ///< why it has no effect; empty if it has one
  };
  std::vector<One> all;            ///< in the given order, including those left out
  bool mayLack = false;            ///< unknown names are conditions that did not occur, not mistakes
  std::vector<std::string> names;  ///< k: those that have an effect, in order

  Regressors(std::vector<std::string> namesAlone);  // NOLINT(google-explicit-constructor)
  Regressors(std::initializer_list<std::string> namesAlone) : Regressors(std::vector(namesAlone)) {}
  explicit Regressors(const Design& design);
};

/// Parses contrasts that are separated by ';', each with an optional name before ':'. A contrast is either k
/// weights separated by blanks or commas, or a sum of regressors: "0 1 0 0 0; faces-houses: 0 1 -1 0 0; 2
/// visual - auditory". Regressors are named as in events or design, or as in their files; the longest match
/// is used, and names take precedence over numbers ("2back - 0back"). Names in quotation marks may contain
/// anything. A contrast without a name is named after its regressors; a single regressor keeps its own name.
///
/// @throws Error (usage) if the number of weights is not k, all are 0, one is too large or too small, or a
///               regressor is unknown and none may be missing
std::vector<Contrast> parseContrasts(std::string_view text, const Regressors& regressors);

/// The joint contrasts in `text`, "name: F(row; row)": the rows are contrasts, separated by ';', or by commas
/// if there is no ';' and they are not a single contrast. parseContrasts() includes the rows in its
/// contrasts.
///
/// @throws Error (usage) as parseContrasts(), and for F without rows
std::vector<JointContrast> jointContrasts(std::string_view text, const Regressors& regressors);

/// A contrast for each regressor, under its own name, then the other contrasts of `text`.
std::vector<Contrast> allContrasts(std::string_view text, const Regressors& regressors);

/// allContrasts() in display order: the intercept, the first regressor, comes last.
std::vector<Contrast> shownContrasts(std::string_view text, const Regressors& regressors);

/// Checks that allContrasts() can parse `text` with the regressors of a design. Returns a warning for each
/// contrast that it leaves out, and a note for each joint contrast whose rows depend on each other.
///
/// @throws Error (usage) as parseContrasts(); if `text` is about confounds, it says that they are removed
Notes checkContrasts(std::string_view text, const Design& design);

}  // namespace sulcus::activation
