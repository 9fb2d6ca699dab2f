#include "app/elsewhere/place.h"

#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

namespace sulcus::app::elsewhere {
namespace {

TEST(Places, AreHostsWithWhatIsUsedThere) {
  EXPECT_FALSE(placeOf("gpu"));
  EXPECT_FALSE(placeOf("sshd"));
  EXPECT_EQ(placeOf("ssh:server")->host, "server");
  EXPECT_EQ(placeOf("ssh:server")->backend, "gpu");
  EXPECT_EQ(placeOf("ssh:me@server.lab.org/cpu")->host, "me@server.lab.org");
  EXPECT_EQ(placeOf("ssh:me@server.lab.org/cpu")->backend, "cpu");
  EXPECT_EQ(placeOf("ssh:server/both")->backend, "both");
}

TEST(Places, MayHandARunToSlurm) {
  EXPECT_FALSE(placeOf("slurm"));
  EXPECT_FALSE(placeOf("ssh:server")->isSlurm());
  EXPECT_TRUE(placeOf("slurm:login")->isSlurm());
  EXPECT_EQ(placeOf("slurm:login")->backend, "gpu");
  EXPECT_EQ(placeOf("slurm:login")->partition, "");
  EXPECT_EQ(placeOf("slurm:login/cpu")->backend, "cpu");
  EXPECT_EQ(placeOf("slurm:me@login/gpu/long")->partition, "long");
  EXPECT_EQ(placeOf("slurm:me@login/gpu/long")->name(), "slurm:me@login");
  for (const char* place :
       {"slurm:login/gpu/a b", "slurm:login/gpu/-x", "slurm:login/gpu/a/b", "ssh:server/gpu/long"})
    test::expectError([&] { placeOf(place); }, {"is no partition"}, ErrorKind::usage);
  test::expectError([&] { placeOf("slurm:login/long"); }, {"'long' is nothing to run on"}, ErrorKind::usage);
}

TEST(Places, AreNeitherOptionsNorCommands) {
  for (const char* host : {"", "-oProxyCommand=x", "a b", "a;b", "a\nb", "$(x)", "a'b", "a|b", "ü"})
    test::expectError([&] { placeOf(std::string("ssh:") + host); }, {"is no host"}, ErrorKind::usage);
  test::expectError([&] { placeOf("ssh:server/tpu"); }, {"'tpu' is nothing to run on"}, ErrorKind::usage);
}

}  // namespace
}  // namespace sulcus::app::elsewhere
