#include "ui/model/choices/remote_hosts.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(RemoteHosts, AreKeptAsAText) {
  const QStringList places{"ssh:server", "ssh:me@server.lab.org/cpu", "slurm:login/gpu/long"};
  EXPECT_EQ(remoteHostsIn(remoteHostsText(places)), places);
  EXPECT_EQ(remoteHostsIn(" ssh:a ,,ssh:a,\tslurm:b"), (QStringList{"ssh:a", "slurm:b"}));
  EXPECT_TRUE(remoteHostsIn("").isEmpty());
}

TEST(RemoteHosts, AreCalledByTheirHostAndWhatIsUsedThere) {
  EXPECT_EQ(remoteHostTitle("ssh:server"), "server");
  EXPECT_EQ(remoteHostTitle("ssh:me@server/cpu"), "me@server (CPU)");
  EXPECT_EQ(remoteHostTitle("slurm:login"), "login (Slurm)");
  EXPECT_EQ(remoteHostTitle("slurm:login/cpu/long"), "login (Slurm long, CPU)");
  EXPECT_EQ(remoteHostTitle("ssh:[fe80::1]"), "[fe80::1]");
}

}  // namespace
}  // namespace sulcus::ui::model
