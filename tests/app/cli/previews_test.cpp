#include "app/cli/previews.h"

#include "core/io/files.h"
#include "tests/support/grid.h"
#include "tests/support/temporary_folder.h"

#include <fstream>

#include <gtest/gtest.h>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

std::vector<Layer> layersOf(float value) {
  Series<float> series(test::gridOf({2, 2, 2}, {1, 1, 1}), 1);
  series.values.assign(8, value);
  VolumeLayer volume;
  volume.series = std::make_shared<const Series<float>>(std::move(series));
  Layer layer;
  layer.name = "map", layer.content = std::move(volume);
  return {layer};
}

float valueIn(const fs::path& folder) {
  return std::get<VolumeLayer>(io::openLayer(folder / "map.nii.gz").content).series->values.front();
}

TEST(PreviewFolders, HoldOneUntilItIsTaken) {
  const test::TemporaryFolder folder;
  const PreviewFolder previews(folder / "previews");
  EXPECT_FALSE(previews.take()) << "nothing is there yet";
  previewsInto(folder / "previews")(layersOf(1), {});
  previewsInto(folder / "previews")(layersOf(2), {});
  const auto first = previews.take();
  ASSERT_TRUE(first);
  EXPECT_EQ(valueIn(*first), 1) << "a later one waits for the first to be taken";
  EXPECT_FALSE(previews.take()) << "it is taken once";
  previewsInto(folder / "previews")(layersOf(3), {});
  const auto second = previews.take();
  ASSERT_TRUE(second);
  EXPECT_EQ(valueIn(*second), 3);
}

TEST(PreviewFolders, TakeASmallShareOfTheTime) {
  const test::TemporaryFolder folder;
  const auto preview = previewsInto(folder / "previews");
  preview(layersOf(1), {});
  ASSERT_TRUE(PreviewFolder(folder / "previews").take());
  preview(layersOf(2), {});
  EXPECT_FALSE(PreviewFolder(folder / "previews").take()) << "it is too early for another one";
}

TEST(PreviewFolders, DoNotEndARunThatCannotWriteThem) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "previews") << "a file";
  EXPECT_NO_THROW(previewsInto(folder / "previews")(layersOf(1), {}));
}

}  // namespace
}  // namespace sulcus::app::cli
