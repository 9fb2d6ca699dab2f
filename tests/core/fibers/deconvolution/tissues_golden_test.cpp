#include "core/fibers/deconvolution/tissues.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/models/models.h"
#include "core/fibers/response/response_file.h"
#include "core/fibers/response/tissue_response.h"
#include "core/io/files.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>

// MRtrix's own test of dwi2fod msmt_csd: SULCUS_MRTRIX_DATA names the folder dwi2fod/msmt of
// MRtrix3/test_data with an additional file, directions.txt, with the 300 directions in which MRtrix
// constrains amplitudes to be nonnegative; resources/design/testing.md says how to get both. With other
// directions, coefficients differ by up to 0.015.

namespace sulcus::fibers {
namespace {

VolumeLayer golden(const std::filesystem::path& file) {
  return std::get<VolumeLayer>(io::openVolume(file, {}, io::UnlabeledData::asImage).content);
}

TEST(TissuesGolden, AreThoseOfMrtrix) {
  const char* const given = std::getenv("SULCUS_MRTRIX_DATA");
  if (!given || !*given) GTEST_SKIP() << "SULCUS_MRTRIX_DATA names no folder";
  const std::filesystem::path folder = given;
  const VolumeLayer scan = golden(folder / "dwi.mif");
  const Series<float>&dwi = *scan.series, wm = *golden(folder / "wm.mif").series,
        gm = *golden(folder / "gm.mif").series, csf = *golden(folder / "csf.mif").series;
  const GradientTable& gradients = scan.gradients;
  const auto unweighted = unweightedVolumes(gradients), weighted = weightedVolumes(gradients);
  std::vector<TissueResponse> responses;
  for (const char* name : {"wm.txt", "gm.txt", "csf.txt"})
    responses.push_back(responseRows(io::openTable(folder / name)));
  std::vector<Vec3<double>> nonNegative;
  for (const auto& row : responseRows(io::openTable(folder / "directions.txt")))  // azimuth, elevation
    nonNegative.push_back(
        {std::sin(row[1]) * std::cos(row[0]), std::sin(row[1]) * std::sin(row[0]), std::cos(row[1])});
  ASSERT_EQ(int(nonNegative.size()), kCsdDirections);
  const auto plan = planTissues(8, responses, directionsOf(gradients, weighted),
                                scanShells(gradients, shells(gradients), weighted).shellOf,
                                int(unweighted.size()), nonNegative);

  std::vector<std::int64_t> voxels;
  for (std::int64_t i = 0; i < dwi.grid.voxels(); ++i) voxels.push_back(i);
  const Eigen::MatrixXf y = deconvolveTissues(plan, signalRatios(dwi, unweighted, weighted, voxels));
  const Eigen::MatrixXf harmonics = matrixByRows(plan.harmonics, tensorEntries(8)) * y,
                        volumes = matrixByRows(plan.volumes, kTissues) * y;
  double fiberError = 0, tissueError = 0;
  for (const auto i : voxels) {
    double scale = 0;
    for (const int v : unweighted) scale += dwi.at(i, v) / (double(unweighted.size()) * plan.unit);
    for (int u = 0; u < tensorEntries(8); ++u)
      fiberError = std::max(fiberError, std::abs(scale * harmonics(u, i) - wm.at(i, u)));
    const double perVolume = scale / std::sqrt(4 * std::numbers::pi);
    tissueError = std::max({tissueError, std::abs(perVolume * volumes(1, i) - gm.at(i, 0)),
                            std::abs(perVolume * volumes(2, i) - csf.at(i, 0))});
  }
  RecordProperty("fiber_error", std::to_string(fiberError));
  RecordProperty("tissue_error", std::to_string(tissueError));
  EXPECT_LT(fiberError, 1e-3);
  EXPECT_LT(tissueError, 1e-3);
}

}  // namespace
}  // namespace sulcus::fibers
