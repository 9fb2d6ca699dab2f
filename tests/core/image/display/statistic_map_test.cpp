#include "core/image/display/statistic_map.h"

#include <memory>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Layer called(const std::string& name, const std::string& unit = "") {
  Layer layer;
  layer.name = name, layer.unit = unit;
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(Grid{{2, 2, 2}, {}}, 1)};
  return layer;
}

TEST(StatisticMap, IsRecognizedByItsUnitOrItsName) {
  for (const char* name : {"zstat1", "thresh_zstat12", "tstat1", "zfstat2", "cope3", "spmT_0001", "con_0002",
                           "task-x_stat-z_statmap"})
    EXPECT_TRUE(isStatisticMap(called(name))) << name;
  for (const char* name : {"stat", "copenhagen", "contrast", "sub-01_T1w", "spmT", "zstatic"})
    EXPECT_FALSE(isStatisticMap(called(name))) << name;
  EXPECT_TRUE(isStatisticMap(called("map", "z")));
  EXPECT_FALSE(isStatisticMap(called("scan", "Bq/mL")));
  Layer labels;
  labels.name = "zstat1";
  labels.content = LabelsLayer{std::make_shared<const Volume<Label>>(Grid{{2, 2, 2}, {}})};
  EXPECT_FALSE(isStatisticMap(labels));
}

TEST(StatisticMap, OfProbabilitiesIsRecognizedByItsValues) {
  const auto of = [](std::vector<float> values) {
    auto series = std::make_shared<Series<float>>(Grid{{int(values.size()), 1, 1}, {}}, 1);
    series->values = std::move(values);
    Layer layer;
    layer.content = VolumeLayer{series};
    return layer;
  };
  EXPECT_EQ(certaintyIn(of({0, 0, 0, 0.2F, 0.7F, 1})), 1);
  EXPECT_EQ(certaintyIn(of({0, 0, 0, 0.2F, 70, 100})), 100) << "percent";
  EXPECT_EQ(certaintyIn(of({0, 0, 0, 12, 40, 63})), 0) << "a scan of small numbers";
  EXPECT_EQ(certaintyIn(of({0, 0, 0, 1, 1, 1})), 0) << "a mask";
  EXPECT_EQ(certaintyIn(of({0, 0, 0, 0.5F, 2})), 0) << "beyond 1";
  EXPECT_EQ(certaintyIn(of({0.1F, 0.2F, 0.3F, 0.4F})), 0) << "nothing lies around it";
  EXPECT_EQ(certaintyIn(called("empty")), 0);
}

TEST(StatisticMap, HasTheLetterOfTheIntentAsItsUnit) {
  EXPECT_EQ(statisticOfIntent(3), "t");
  EXPECT_EQ(statisticOfIntent(5), "z");
  EXPECT_EQ(statisticOfIntent(0), "");
  EXPECT_EQ(statisticOfIntent(1002), "") << "labels";
}

}  // namespace
}  // namespace sulcus
