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

// How well regions drawn in two scans lie on each other after a registration, over pairs and settings.
namespace sulcus::bench {

/// A row of the table of pairs.
struct PairFiles {
  std::string name;
  std::filesystem::path templateImage, templateLabels, reference, referenceLabels;
  std::filesystem::path
      affine;  ///< as registration writes it, taken for any pre-alignment but none; or empty
};

/// Opens a table with the columns name, template, template-labels, reference, reference-labels and, if
/// wanted, affine. Paths are relative to the table's folder. Throws Error where a column or cell is missing.
std::vector<PairFiles> openPairTable(const std::filesystem::path& table);

/// The matrix that affineText() writes. Throws Error for any other text.
Affine openAffine(const std::filesystem::path& file);

/// Some options of a registration, each with the values to be tried: "lambda" and {"0.02", "0.005"}.
using OptionLists = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct PairSetting {
  std::string text;  ///< "similarity l2, lambda 0.005"; "default" where no option was given
  registration::RegistrationOptions options;
};
/// Each combination of the values, the last option running fastest. Throws Error (usage) for what is no
/// option or value.
std::vector<PairSetting> pairSettings(const OptionLists& lists);

/// The mean of Dice's coefficient over all labels of either image, once the template's are displaced. A label
/// that one image lacks counts 0.
///
/// @param displacement  3 volumes on the reference's grid, mm, RAS+
double diceUnder(const Volume<Label>& templateLabels, const Volume<Label>& referenceLabels,
                 const Series<float>& displacement);

/// A registration of a pair.
struct PairRow {
  std::string pair, setting, processor;
  double before = 0, after = 0;         ///< mean Dice under the pre-alignment alone, and deformed
  double sdLogJ = 0, smallestLogJ = 0;  ///< of the nonlinear part, in the reference
  std::int64_t foldedCells = 0, iterations = 0;
  double seconds = 0;  ///< without the pre-alignment
};

struct PairMeasurements : Machine {
  std::vector<PairRow> rows;
};

struct PairBenchOptions {
  std::filesystem::path table;
  OptionLists lists;
  Backend backend = Backend::cpu;
};

/// Runs each setting on each pair; `alignLinearly` is called once for a pair and kind of pre-alignment,
/// `tell` gets a line per run.
PairMeasurements runPairBench(const PairBenchOptions& options,
                              const std::function<registration::AlignLinearly>& alignLinearly,
                              const std::function<void(const std::string&)>& tell);

Report reportOf(const PairMeasurements& measured);

}  // namespace sulcus::bench
