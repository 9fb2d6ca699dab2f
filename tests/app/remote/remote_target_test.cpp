#include "app/remote/remote_target.h"

#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

namespace sulcus::app::remote {
namespace {

TEST(Places, AreHostsWithWhatIsUsedThere) {
  EXPECT_FALSE(remoteTargetOf("gpu"));
  EXPECT_FALSE(remoteTargetOf("sshd"));
  EXPECT_EQ(remoteTargetOf("ssh:server")->host, "server");
  EXPECT_EQ(remoteTargetOf("ssh:server")->backend, "gpu");
  EXPECT_EQ(remoteTargetOf("ssh:me@server.lab.org/cpu")->host, "me@server.lab.org");
  EXPECT_EQ(remoteTargetOf("ssh:me@server.lab.org/cpu")->backend, "cpu");
  EXPECT_EQ(remoteTargetOf("ssh:server/both")->backend, "both");
}

TEST(Places, MayHandARunToSlurm) {
  EXPECT_FALSE(remoteTargetOf("slurm"));
  EXPECT_FALSE(remoteTargetOf("ssh:server")->isSlurm());
  EXPECT_TRUE(remoteTargetOf("slurm:login")->isSlurm());
  EXPECT_EQ(remoteTargetOf("slurm:login")->backend, "gpu");
  EXPECT_EQ(remoteTargetOf("slurm:login")->partition, "");
  EXPECT_EQ(remoteTargetOf("slurm:login/cpu")->backend, "cpu");
  EXPECT_EQ(remoteTargetOf("slurm:me@login/gpu/long")->partition, "long");
  EXPECT_EQ(remoteTargetOf("slurm:me@login/gpu/long")->name(), "slurm:me@login");
  for (const char* place :
       {"slurm:login/gpu/a b", "slurm:login/gpu/-x", "slurm:login/gpu/a/b", "ssh:server/gpu/long"})
    test::expectError([&] { remoteTargetOf(place); }, {"is not a partition"}, ErrorKind::usage);
  test::expectError([&] { remoteTargetOf("slurm:login/long"); }, {"'long' is not a backend"},
                    ErrorKind::usage);
}

TEST(Places, AreNeitherOptionsNorCommands) {
  for (const char* host : {"", "-oProxyCommand=x", "a b", "a;b", "a\nb", "$(x)", "a'b", "a|b", "ü"})
    test::expectError([&] { remoteTargetOf(std::string("ssh:") + host); }, {"is not a host"},
                      ErrorKind::usage);
  test::expectError([&] { remoteTargetOf("ssh:server/tpu"); }, {"'tpu' is not a backend"}, ErrorKind::usage);
}

}  // namespace
}  // namespace sulcus::app::remote
