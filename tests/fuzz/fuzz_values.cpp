#include "tests/fuzz/fuzz_values.h"

#include "core/phantom/fibers_phantom.h"

namespace {

using namespace sulcus;

/// Small inputs of one analysis, one of whose images is changed.
struct Case {
  std::string analysis;
  std::string slot;  ///< of the changed image
  sulcus::AnalysisInputs others;
  sulcus::Grid grid;
  int volumes = 1;
  std::vector<float> values;
  sulcus::OptionValues options;
  sulcus::GradientTable gradients = {};
};

Case fibersCase(const std::string& model) {
  constexpr int kVoxels = 12;
  const auto phantom = sulcus::phantom::makeFibersPhantom({});
  sulcus::Grid grid = phantom.dwi->grid;
  grid.size = {kVoxels, 1, 1};
  std::vector<float> values;
  for (int v = 0; v < phantom.dwi->count; ++v)
    for (int i = 0; i < kVoxels; ++i) values.push_back(phantom.dwi->at(80 * i, v));
  return {"fibers",
          "dwi",
          {},
          grid,
          phantom.dwi->count,
          std::move(values),
          {{"model", model}, {"order", std::int64_t(4)}, {"starts", std::int64_t(4)}},
          phantom.gradients};
}

Case fibersCase(const std::string& slot, int volumes) {
  std::vector<float> values;
  for (int i = 0; i < 4 * volumes; ++i) values.push_back(float(std::sin(i)));
  sulcus::Grid grid;
  grid.size = {4, 1, 1};
  return {"fibers", slot, {}, grid, volumes, std::move(values), {{"starts", std::int64_t(4)}}};
}

/// `slot` may select an image other than the series.
Case activationCase(const std::string& slot) {
  constexpr int kScans = 12;
  const sulcus::Grid grid = sulcus::fuzz::cube(3);
  std::vector<float> bold, map;
  sulcus::TableLayer table{{"wave"}, {}};
  for (int t = 0; t < kScans; ++t) {
    table.rows.push_back({std::to_string(std::sin(0.9 * t))});
    for (int i = 0; i < 27; ++i)
      bold.push_back(float(100 + std::sin(0.9 * t) + std::cos(7.7 * (t + 31 * i))));
  }
  for (int i = 0; i < 27; ++i) map.push_back(float(0.5 + 0.4 * std::sin(3.3 * i)));
  sulcus::Layer design;
  design.name = "design", design.content = std::move(table);
  sulcus::AnalysisInputs others{{"design", std::make_shared<const sulcus::Layer>(std::move(design))}};
  const bool changesSeries = slot == "bold";
  if (!changesSeries) others.emplace("bold", fuzz::imageLayer(grid, kScans, bold));
  return {"activation",
          slot,
          others,
          grid,
          changesSeries ? kScans : 1,
          changesSeries ? bold : map,
          {{"draws", std::int64_t(12)},
           {"thinning", std::int64_t(1)},
           {"chains", std::int64_t(1)},
           {"response", std::string(changesSeries ? "raw" : "percent")}}};
}

Case registrationCase(const std::string& slot) {
  constexpr int kSize = 8;
  std::vector<float> values = sulcus::fuzz::ballDistances(kSize);
  for (float& value : values) value = std::exp(-value);
  std::vector<float> other = values;
  std::rotate(other.begin(), other.begin() + 1, other.end());
  const sulcus::Grid grid = sulcus::fuzz::cube(kSize);
  sulcus::AnalysisInputs others;
  for (const char* image : {"template", "reference"})
    if (slot != image) others.emplace(image, fuzz::imageLayer(grid, 1, other));
  return {"registration",
          slot,
          others,
          grid,
          1,
          values,
          {{"levels", std::int64_t(1)}, {"iterations", std::string("2")}, {"affine", std::string("none")}}};
}

Case surfaceCase(const std::string& slot) {
  constexpr int kSize = 7;
  std::vector<float> values = sulcus::fuzz::ballDistances(kSize);
  for (float& value : values) value = slot == "mask" ? float(value < 0) : -value;
  return {"surface",
          slot,
          {},
          sulcus::fuzz::cube(kSize),
          1,
          std::move(values),
          {{"patch", std::int64_t(3)}, {"neighbours", std::int64_t(4)}, {"iterations", std::int64_t(2)}}};
}

}  // namespace

// The first byte selects the analysis, the rest which values of one of its images change, and to what.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Case> cases{fibersCase("csd"),
                                       fibersCase("adc"),
                                       fibersCase("qball"),
                                       fibersCase("sh", 6),
                                       fibersCase("tensor", 15),
                                       activationCase("bold"),
                                       activationCase("mask"),
                                       activationCase("tissue"),
                                       registrationCase("template"),
                                       registrationCase("reference"),
                                       registrationCase("mask"),
                                       surfaceCase("image"),
                                       surfaceCase("mask")};
  if (size == 0) return 0;
  const Case& one = cases[data[0] % cases.size()];
  std::vector<float> values = one.values;
  sulcus::fuzz::change(values, data + 1, size - 1);
  sulcus::AnalysisInputs inputs = one.others;
  inputs.emplace(one.slot, fuzz::imageLayer(one.grid, one.volumes, std::move(values), one.gradients));
  return sulcus::fuzz::runAnalysis(one.analysis, inputs, one.options);
}

std::vector<std::string> sulcus::fuzz::seeds() {
  std::vector<std::string> seeds;
  for (char which = 0; which < 13; ++which)
    for (const auto& seed : valueSeeds()) seeds.push_back(which + seed);
  return seeds;
}
