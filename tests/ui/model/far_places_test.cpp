#include "ui/model/far_places.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(FarPlaces, AreKeptAsAText) {
  const QStringList places{"ssh:server", "ssh:me@server.lab.org/cpu", "slurm:login/gpu/long"};
  EXPECT_EQ(placesIn(placesText(places)), places);
  EXPECT_EQ(placesIn(" ssh:a ,,ssh:a,\tslurm:b"), (QStringList{"ssh:a", "slurm:b"}));
  EXPECT_TRUE(placesIn("").isEmpty());
}

TEST(FarPlaces, AreCalledByTheirHostAndWhatIsUsedThere) {
  EXPECT_EQ(placeTitle("ssh:server"), "server");
  EXPECT_EQ(placeTitle("ssh:me@server/cpu"), "me@server (CPU)");
  EXPECT_EQ(placeTitle("slurm:login"), "login (Slurm)");
  EXPECT_EQ(placeTitle("slurm:login/cpu/long"), "login (Slurm long, CPU)");
  EXPECT_EQ(placeTitle("ssh:[fe80::1]"), "[fe80::1]");
}

}  // namespace
}  // namespace sulcus::ui::model
