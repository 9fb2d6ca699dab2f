#include "app/analyses/surface/distance_memo.h"

#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

/// A memo of a distance that counts how often it computes.
class DistanceMemoTest : public testing::Test {
 protected:
  static LayerPtr layer() { return std::make_shared<const Layer>(); }
  /// The number of distances so far, from the returned values.
  float ask() {
    const auto distance = compute({});
    recalled_ = distance.recalled, seconds_ = distance.seconds;
    return distance.value->values.at(0);
  }
  DistanceMemo::Answer compute(const Progress& progress) {
    return memo_(DistanceKey(source_, options_), [&] {
      progress.throwIfCancelled();
      return std::make_shared<const Volume<float>>(Grid{{1, 1, 1}, {}}, float(++asked_));
    });
  }

  int asked_ = 0;
  DistanceMemo memo_;
  surface::SurfaceSource source_{surface::SurfaceSource::Kind::mask, layer()};
  surface::SurfaceOptions options_;
  bool recalled_ = false;
  double seconds_ = 0;
};

TEST_F(DistanceMemoTest, ComputesTheSameSurfaceOnce) {
  EXPECT_EQ(ask(), 1);
  EXPECT_FALSE(recalled_);
  const double took = seconds_;
  EXPECT_GT(took, 0);
  options_.c2 = 3, options_.delta = 5, options_.threshold = 9;
  EXPECT_EQ(ask(), 1) << "the distance of a mask does not depend on these";
  EXPECT_TRUE(recalled_);
  EXPECT_EQ(seconds_, took) << "a run that recalls it is compared with one that did not";
}

TEST_F(DistanceMemoTest, ComputesAgainWhatIsNotTheSame) {
  ask();
  options_.label = 2;
  EXPECT_EQ(ask(), 2);
  source_.layer = layer();
  EXPECT_EQ(ask(), 3);
  source_.kind = surface::SurfaceSource::Kind::image;
  EXPECT_EQ(ask(), 4);
  options_.threshold = 0.7;
  EXPECT_EQ(ask(), 5);
  source_.kind = surface::SurfaceSource::Kind::mesh;
  EXPECT_EQ(ask(), 6);
  options_.spacing = 0.7;
  EXPECT_EQ(ask(), 7);
  options_.delta = 5;
  EXPECT_EQ(ask(), 8) << "the grid around a mesh leaves room for the band";
}

TEST_F(DistanceMemoTest, KeepsNoLayerAlive) {
  ask();
  const std::weak_ptr<const Layer> kept = source_.layer;
  source_.layer = nullptr;
  EXPECT_TRUE(kept.expired());
}

TEST_F(DistanceMemoTest, ForgetsWhatWasCancelled) {
  ask();
  std::stop_source stop;
  stop.request_stop();
  source_.layer = layer();
  EXPECT_ANY_THROW(compute(Progress(stop.get_token(), {})));
  EXPECT_EQ(ask(), 2);
}

}  // namespace
}  // namespace sulcus::app::analyses
