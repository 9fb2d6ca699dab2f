#include "app/remote/layer_agreement.h"

#include "tests/support/grid.h"

#include <gtest/gtest.h>

namespace sulcus::app::remote {
namespace {

Layer volumeOf(const std::string& name, const std::vector<float>& values) {
  Series<float> series(test::gridOf({int(values.size()), 1, 1}, {1, 1, 1}), 1);
  series.values = values;
  VolumeLayer volume;
  volume.series = std::make_shared<const Series<float>>(std::move(series));
  Layer layer;
  layer.name = name, layer.content = std::move(volume);
  return layer;
}

TEST(LayerAgreement, HoldsMapsOfOneNameAgainstEachOther) {
  std::vector<float> values(2000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i) / 2000;
  std::vector<float> close = values, far = values;
  for (float& value : close) value += 1e-4f;
  for (std::size_t i = 0; i < 20; ++i) far[100 * i] += 0.1f;
  const std::vector<Layer> a{volumeOf("x", values), volumeOf("y", values), volumeOf("z", values)};
  const std::vector<Layer> b{volumeOf("y", far), volumeOf("x", close)};
  const Comparison comparison = compareLayers(a, b, {});
  ASSERT_EQ(comparison.rows.size(), 2u) << "nothing is called z in both";
  EXPECT_EQ(comparison.rows[0].quantity, "x");
  EXPECT_TRUE(comparison.rows[0].agrees());
  EXPECT_FALSE(comparison.rows[1].agrees());
  ASSERT_TRUE(comparison.difference);
  EXPECT_NEAR(std::get<VolumeLayer>(comparison.difference->content).series->values[5], -1e-4, 1e-6)
      << "the first minus the second, as it is called";
}

}  // namespace
}  // namespace sulcus::app::remote
