#include "tests/bench/registration/pairs_bench.h"

#include "core/base/error.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"
#include "core/io/files.h"
#include "core/registration/results/apply_field.h"
#include "core/registration/results/overlap.h"
#include "core/registration/results/registration_result.h"
#include "gpu/registration/registration.h"
#include "gpu/runtime/device.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sulcus::bench {
namespace {

namespace fs = std::filesystem;
using Labels = std::shared_ptr<const Volume<Label>>;

/// The images of a pair and their regions.
struct Pair {
  std::string name;
  registration::RegistrationInput input;
  Labels templateLabels, referenceLabels;
  std::optional<Affine> affine;
};

std::shared_ptr<const Series<float>> openImage(const fs::path& file) {
  const Layer layer = io::openVolume(file, {}, io::UnlabeledData::asImage);
  if (!isMask(layer))
    throw Error("'" + file.string() + "' cannot be registered", "it holds " + kindOf(layer),
                "give a single volume");
  return std::make_shared<const Series<float>>(firstVolume(layer, "image"));
}

Labels openLabels(const fs::path& file, const Grid& grid, const std::string& of) {
  return labelsOn(io::openVolume(file, {}, io::UnlabeledData::asImage), of + "-labels", grid, of);
}

Pair openPair(const PairFiles& files) {
  Pair pair;
  pair.name = files.name;
  pair.input.templateImage = openImage(files.templateImage);
  pair.input.reference = openImage(files.reference);
  pair.templateLabels = openLabels(files.templateLabels, pair.input.templateImage->grid, "template");
  pair.referenceLabels = openLabels(files.referenceLabels, pair.input.reference->grid, "reference");
  if (!files.affine.empty()) pair.affine = openAffine(files.affine);
  return pair;
}

/// The linear registrations of a pair by kind, each found once, with the overlap that they give.
class LinearlyAligned {
 public:
  struct Answer {
    Affine templateFromReference;
    double dice = 0;
  };
  LinearlyAligned(const Pair& pair, const std::function<registration::AlignLinearly>& alignLinearly)
      : pair_(pair), linear_(alignLinearly) {}

  const Answer& operator()(const registration::LinearOptions& options) {
    const auto known = answers_.find(options);
    if (known != answers_.end()) return known->second;
    Answer answer;
    if (options.kind != registration::LinearAlignment::none)
      answer.templateFromReference = pair_.affine ? *pair_.affine
                                                  : linear_(*pair_.input.templateImage,
                                                            *pair_.input.reference, nullptr, options, {}, {});
    const Grid& grid = pair_.input.reference->grid;
    const auto field = registration::composedDisplacement(registration::VectorField<float>(grid.size), grid,
                                                          answer.templateFromReference, {});
    answer.dice = diceUnder(*pair_.templateLabels, *pair_.referenceLabels, field);
    return answers_[options] = answer;
  }

 private:
  const Pair& pair_;
  const std::function<registration::AlignLinearly>& linear_;
  std::map<registration::LinearOptions, Answer> answers_;
};

PairRow measured(const Pair& pair, const PairSetting& setting, const LinearlyAligned::Answer& start,
                 Backend backend) {
  registration::RegistrationInput input = pair.input;
  input.initial = start.templateFromReference;
  registration::Register* const onProcessor =
      backend == Backend::gpu ? gpu::registration::registerImages : registration::registerImages;
  const double begin = now();
  const registration::RegistrationResult result = onProcessor(input, setting.options, {});
  PairRow row;
  row.seconds = now() - begin;
  row.pair = pair.name, row.setting = setting.text, row.processor = backend == Backend::gpu ? "GPU" : "CPU";
  row.before = start.dice;
  row.after = diceUnder(*pair.templateLabels, *pair.referenceLabels, result.displacement);
  row.sdLogJ = result.sdLogJ, row.smallestLogJ = std::log(result.smallestJ);
  row.foldedCells = result.foldedCells;
  row.iterations = std::count_if(result.iterations.begin(), result.iterations.end(),
                                 [](const auto& one) { return one.iteration > 0; });
  return row;
}

std::set<Label> labelsIn(const Volume<Label>& volume) {
  std::set<Label> labels(volume.values.begin(), volume.values.end());
  labels.erase(0);
  return labels;
}

}  // namespace

std::vector<PairFiles> openPairTable(const fs::path& table) {
  const Layer layer = io::openTable(table);
  const auto& [columns, rows] = std::get<TableLayer>(layer.content);
  const auto place = [&, &names = columns](const std::string& name) {
    return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
  };
  std::vector<PairFiles> pairs;
  for (const auto& row : rows) {
    const auto cell = [&, width = columns.size()](const std::string& name) {
      const std::size_t at = place(name);
      const std::string text = at < width ? row[at] : "";
      if (text.empty() && name != "affine")
        throw Error("'" + table.string() + "' has no '" + name + "' for every pair",
                    "a pair is two scans with the same regions drawn in both",
                    "give the columns name, template, template-labels, reference, reference-labels",
                    ErrorKind::badInput);
      return text;
    };
    const auto path = [&](const std::string& name) {
      const std::string text = cell(name);
      return text.empty() || text == "n/a" ? fs::path() : table.parent_path() / text;
    };
    pairs.push_back({cell("name"), path("template"), path("template-labels"), path("reference"),
                     path("reference-labels"), path("affine")});
  }
  return pairs;
}

Affine openAffine(const fs::path& file) {
  const Layer layer = io::openTable(file);
  const auto& rows = std::get<TableLayer>(layer.content).rows;
  const auto wrong = [&] {
    return Error("'" + file.string() + "' is no affine map", "it has 4 × 4 numbers, the last row 0 0 0 1",
                 "give affine.txt as registration writes it");
  };
  if (rows.size() != 4) throw wrong();
  double numbers[4][4];
  for (std::size_t i = 0; i < 4; ++i) {
    if (rows[i].size() != 4) throw wrong();
    for (std::size_t j = 0; j < 4; ++j) {
      std::size_t used = 0;
      try {
        numbers[i][j] = std::stod(rows[i][j], &used);
      } catch (const std::logic_error&) {
        throw wrong();
      }
      if (used != rows[i][j].size() || !std::isfinite(numbers[i][j])) throw wrong();
    }
  }
  if (numbers[3][0] != 0 || numbers[3][1] != 0 || numbers[3][2] != 0 || numbers[3][3] != 1) throw wrong();
  Affine affine;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) affine.m[std::size_t(i)][std::size_t(j)] = numbers[i][j];
    affine.t[i] = numbers[i][3];
  }
  return affine;
}

std::vector<PairSetting> pairSettings(const OptionLists& lists) {
  const auto infos = describeOptions<registration::RegistrationOptions>();
  std::vector<std::pair<std::string, OptionValues>> combined{{"", {}}};
  for (const auto& [name, values] : lists) {
    const auto info = std::find_if(infos.begin(), infos.end(),
                                   [&, &name = name](const OptionInfo& one) { return one.name == name; });
    if (info == infos.end())
      throw Error("There is no --" + name, "the options of a registration can be tried",
                  "see sulcus-cli registration --help", ErrorKind::usage);
    std::vector<std::pair<std::string, OptionValues>> longer;
    for (const auto& [text, known] : combined)
      for (const std::string& value : values) {
        OptionValues more = known;
        more[name] = parseOption(*info, value);
        longer.emplace_back(text + (text.empty() ? "" : ", ") + name + " " + value, std::move(more));
      }
    combined = std::move(longer);
  }
  std::vector<PairSetting> settings;
  for (const auto& [text, values] : combined)
    settings.push_back(
        {text.empty() ? "default" : text, optionsFrom<registration::RegistrationOptions>(values)});
  return settings;
}

double diceUnder(const Volume<Label>& templateLabels, const Volume<Label>& referenceLabels,
                 const Series<float>& displacement) {
  const auto overlaps = registration::labelOverlap(
      registration::displacedLabels(templateLabels, displacement, Interpolation::label, 0, {}),
      referenceLabels);
  double sum = 0;
  for (const auto& overlap : overlaps) sum += overlap.dice();
  // The deformed labels may lack some of the template's.
  std::set<Label> either = labelsIn(templateLabels);
  either.merge(labelsIn(referenceLabels));
  return sum / double(either.size());
}

PairMeasurements runPairBench(const PairBenchOptions& options,
                              const std::function<registration::AlignLinearly>& alignLinearly,
                              const std::function<void(const std::string&)>& tell) {
  const auto settings = pairSettings(options.lists);
  if (options.backend == Backend::gpu) gpu::requireDevice();
  PairMeasurements report;
  static_cast<Machine&>(report) = thisMachine();
  for (const PairFiles& files : openPairTable(options.table)) {
    const Pair pair = openPair(files);
    LinearlyAligned linearlyAligned(pair, alignLinearly);
    for (const PairSetting& setting : settings) {
      const PairRow row =
          measured(pair, setting, linearlyAligned({setting.options.affine, setting.options.affineSimilarity}),
                   options.backend);
      tell(format("%s, %s: Dice %.3f -> %.3f, %.3g s", row.pair.c_str(), row.setting.c_str(), row.before,
                  row.after, row.seconds));
      report.rows.push_back(row);
    }
  }
  return report;
}

}  // namespace sulcus::bench
