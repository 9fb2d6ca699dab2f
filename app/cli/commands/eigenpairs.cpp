#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "app/cli/usage.h"
#include "core/base/error.h"
#include "core/base/figure.h"
#include "core/base/parallel/parallel_for.h"
#include "core/fibers/peaks/general_tensor.h"
#include "core/fibers/peaks/general_tensor_kernel.h"
#include "core/io/streams/file_json.h"

#include <cmath>
#include <iostream>
#include <optional>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

using nlohmann::ordered_json;

struct EigenpairsRequest {
  std::string tensor;
  int order = 0, dimension = 0;
  fibers::EigenpairOptions options;
};

/// A tensor and the eigenpairs found for it.
struct SolvedTensor {
  std::optional<Vec3<int>> voxel;  ///< for a tensor in an image
  fibers::SymmetricTensor tensor;
  std::vector<fibers::Eigenpair> pairs;
};

const char* nameOf(fibers::EigenpairKind kind) {
  constexpr const char* names[] = {"maximum", "minimum", "saddle", "degenerate"};
  return names[int(kind)];
}

/// Appends all numbers of nested arrays, from left to right.
void addNumbers(const ordered_json& json, const std::string& file, std::vector<double>& numbers) {
  if (json.is_array()) {
    for (const auto& inner : json) addNumbers(inner, file, numbers);
  } else if (json.is_number()) {
    numbers.push_back(json.get<double>());
  } else {
    throw Error("'" + file + "' is not a tensor", "a tensor is an array of numbers, nested or not",
                "give the entries of the sorted indices, or all of them");
  }
}

/// The tensors in a JSON file, which contains one, or in an image, which contains one in each voxel that is
/// not all 0.
std::vector<SolvedTensor> tensorsIn(const EigenpairsRequest& request, const Progress& progress) {
  const std::filesystem::path file(request.tensor);
  if (file.extension() == ".json") {
    std::vector<double> numbers;
    addNumbers(io::openJson(file), request.tensor, numbers);
    return {{{}, fibers::tensorOf(request.order, request.dimension, numbers), {}}};
  }
  const Layer layer = openScan(file, progress, io::UnlabeledData::asImage);
  const auto* image = std::get_if<VolumeLayer>(&layer.content);
  if (!image)
    throw Error("'" + request.tensor + "' is not an image of tensors", "it holds " + kindWithArticle(layer),
                "give an image with a volume for each entry, or a .json file");
  const Series<float>& series = *image->series;
  std::vector<SolvedTensor> tensors;
  for (std::int64_t i = 0; i < series.grid.voxels(); ++i) {
    std::vector<double> numbers;
    bool any = false, finite = true;
    for (int v = 0; v < series.count; ++v) {
      numbers.push_back(series.at(i, v));
      any = any || numbers.back() != 0;
      finite = finite && std::isfinite(numbers.back());
    }
    if (any && finite)
      tensors.push_back(
          {series.grid.voxel(i), fibers::tensorOf(request.order, request.dimension, numbers), {}});
  }
  if (tensors.empty())
    throw Error("'" + request.tensor + "' holds no tensor", "all its voxels are 0 or not finite",
                "give an image of tensors");
  return tensors;
}

ordered_json jsonOf(const SolvedTensor& solved) {
  ordered_json json = ordered_json::object();
  if (solved.voxel) json["voxel"] = {solved.voxel->x, solved.voxel->y, solved.voxel->z};
  json["eigenpairs"] = ordered_json::array();
  for (const auto& pair : solved.pairs)
    json["eigenpairs"].push_back({{"value", pair.value},
                                  {"kind", nameOf(pair.kind)},
                                  {"x", pair.x},
                                  {"residual", fibers::residualOf(solved.tensor, pair)}});
  return json;
}

void addRows(const SolvedTensor& solved, std::vector<std::vector<std::string>>& rows) {
  for (const auto& pair : solved.pairs) {
    std::vector<std::string> row;
    if (solved.voxel)
      row.push_back(std::to_string(solved.voxel->x) + ", " + std::to_string(solved.voxel->y) + ", " +
                    std::to_string(solved.voxel->z));
    row.push_back(significantText(pair.value, 10));
    row.emplace_back(nameOf(pair.kind));
    std::string x;
    for (const double component : pair.x) {
      char text[64];
      std::snprintf(text, sizeof text, "%s%.6f", x.empty() ? "" : ", ", component);
      x += text;
    }
    row.push_back(x);
    row.push_back(shortNumber(fibers::residualOf(solved.tensor, pair)));
    rows.push_back(std::move(row));
  }
}

int eigenpairs(const EigenpairsRequest& request, const CliContext& session) {
  std::vector<SolvedTensor> tensors;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    tensors = tensorsIn(request, progress.part(0, 0.1, "read"));
    const Progress search = progress.part(0.1, 1, "search");
    const auto solve = [&](std::int64_t i, const Progress& part) {
      auto& solved = tensors[std::size_t(i)];
      solved.pairs = fibers::findEigenpairs(solved.tensor, request.options, part);
    };
    // Progress counts tensors; for a single one, its starts.
    if (tensors.size() == 1)
      solve(0, search);
    else
      parallelFor(std::ssize(tensors), 1, search, [&](std::int64_t i) { solve(i, search.part(0, 0, "")); });
  }
  if (session.json) {
    ordered_json json{{"order", request.order},
                      {"dimension", request.dimension},
                      {"most", fibers::mostEigenpairs(request.order, request.dimension)}};
    for (const auto& solved : tensors) json["tensors"].push_back(jsonOf(solved));
    std::cout << io::jsonText(json);
    return exit_code::done;
  }
  std::vector<std::string> head{"λ", "kind", "x", "‖A xᵐ⁻¹ − λx‖"};
  if (tensors.front().voxel) head.insert(head.begin(), "voxel");
  std::vector<std::vector<std::string>> rows;
  for (const auto& solved : tensors) addRows(solved, rows);
  std::cout << markdownTable(head, rows) << rows.size() << " real eigenpairs of " << tensors.size()
            << (tensors.size() == 1 ? " tensor" : " tensors") << "; one has at most "
            << shortNumber(fibers::mostEigenpairs(request.order, request.dimension))
            << " isolated ones, complex ones included.\n";
  return exit_code::done;
}

}  // namespace

Command addEigenpairs(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "eigenpairs",
      "Finds the real eigenpairs A xᵐ⁻¹ = λx, |x| = 1, of symmetric tensors of any order and dimension, with "
      "their kind: maximum, minimum or saddle of A xᵐ on the sphere");
  auto request = std::make_shared<EigenpairsRequest>();
  request->options.saddles = true;
  addText(*parser, "--tensor", request->tensor,
          "A .json file with an array of numbers: the entries of the sorted indices in lexicographic "
          "order, or all nᵐ of them; or an image with a volume for each entry of the sorted indices",
          "FILE")
      ->required()
      ->group("Files");
  const auto number = [&](const char* flag, int& value, const char* help, double least, double most) {
    return parser->add_option(std::string("--") + flag, value, help)
        ->type_name("N")
        ->check(wholeNumber(flag, least, most))
        ->group("Parameters");
  };
  number("order", request->order, "Order m of the tensor", 2, fibers::kLargestGeneralOrder)->required();
  number("dimension", request->dimension, "Dimension n of the tensor", 2, fibers::kLargestGeneralDimension)
      ->required();
  number("starts", request->options.starts,
         "Random starting vectors; more find rarer eigenpairs, above all saddles (default 200)", 1, 1e6);
  number("seed", request->options.seed, "Of the starting vectors (default 1)", 0, 2147483647);
  addTalkFlags(*parser);
  return {parser, [request](const CliContext& session) { return eigenpairs(*request, session); }};
}

}  // namespace sulcus::app::cli
