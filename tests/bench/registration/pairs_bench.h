#pragma once

#include "core/analysis/analysis.h"
#include "core/registration/registration.h"
#include "tests/bench/report.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// How well regions drawn in two scans overlap after registration, over pairs and settings.
namespace sulcus::bench {

/// A row of the table of pairs.
struct PairFiles {
  std::string name;
  std::filesystem::path templateImage, templateLabels, reference, referenceLabels;
  std::filesystem::path
      affine;  ///< as written by registration, used for any linear registration except none; or empty
};

/// Opens a table with the columns name, template, template-labels, reference, reference-labels and optionally
/// affine. Paths are relative to the table's folder. Throws Error if a column or cell is missing.
std::vector<PairFiles> openPairTable(const std::filesystem::path& table);

/// A matrix written by affineText(). Throws Error for any other text.
Affine openAffine(const std::filesystem::path& file);

/// Some options of a registration, each with the values to try: "lambda" and {"0.02", "0.005"}.
using OptionLists = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct PairSetting {
  std::string text;  ///< "similarity l2, lambda 0.005"; "default" if no option was given
  registration::RegistrationOptions options;
};
/// Every combination of the values, the last option varying fastest. Throws Error (usage) for an invalid
/// option or value.
/// option or value.
std::vector<PairSetting> pairSettings(const OptionLists& lists);

/// The mean Dice coefficient over all labels of either image, after displacing those of the template. A label
/// that one image lacks counts as 0.
///
/// @param displacement  3 volumes on the reference's grid, mm, RAS+
double diceUnder(const Volume<Label>& templateLabels, const Volume<Label>& referenceLabels,
                 const Series<float>& displacement);

/// A registration of a pair.
struct PairRow {
  std::string pair, setting, processor;
  double before = 0, after = 0;         ///< mean Dice after linear registration alone, and deformed
  double sdLogJ = 0, smallestLogJ = 0;  ///< of the nonlinear part, on the reference
  std::int64_t foldedCells = 0, iterations = 0;
  double seconds = 0;  ///< without linear registration
};

struct PairMeasurements : Machine {
  std::vector<PairRow> rows;
};

struct PairBenchOptions {
  std::filesystem::path table;
  OptionLists lists;
  Backend backend = Backend::cpu;
};

/// Runs each setting on each pair; `alignLinearly` is called once for each pair and kind of linear
/// registration, `tell` receives a line for each run.
PairMeasurements runPairBench(const PairBenchOptions& options,
                              const std::function<registration::AlignLinearly>& alignLinearly,
                              const std::function<void(const std::string&)>& tell);

Report reportOf(const PairMeasurements& measured);

}  // namespace sulcus::bench
