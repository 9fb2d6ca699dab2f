#include "core/base/platform/memory/host_memory.h"

#include "tests/support/temporary_folder.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

namespace fs = std::filesystem;

class ControlGroups : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  }
  double freeOf(const std::string& membership) {
    write("membership", membership);
    return freeInControlGroups((folder_.path() / "membership").c_str(), (folder_.path() / "mount").c_str());
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(ControlGroups, OfVersion2LeaveTheLeastOfAllAbove) {
  write("mount/job/memory.max", "1000"), write("mount/job/memory.current", "700");
  write("mount/job/memory.stat", "anon 500\ninactive_file 150\nactive_file 50\nactive_anon 9");
  write("mount/job/step/memory.max", "max"), write("mount/job/step/memory.current", "100");
  EXPECT_EQ(freeOf("0::/job/step"), 500);
  write("mount/job/step/memory.max", "400");
  EXPECT_EQ(freeOf("0::/job/step"), 300);
  EXPECT_EQ(freeOf("0::/job"), 500);
  EXPECT_EQ(freeOf("0::/"), INFINITY);
}

TEST_F(ControlGroups, OfVersion1AreThoseOfMemory) {
  write("mount/memory/slurm/job_7/memory.limit_in_bytes", "5000");
  write("mount/memory/slurm/job_7/memory.usage_in_bytes", "4000");
  write("mount/memory/slurm/job_7/memory.stat",
        "inactive_file 1\ntotal_inactive_file 700\ntotal_active_file 300");
  EXPECT_EQ(freeOf("5:cpuset:/\n4:memory:/slurm/job_7\n0::/"), 2000);
  EXPECT_EQ(freeOf("4:cpuset:/slurm/job_7\n0::/"), INFINITY);
}

TEST_F(ControlGroups, OfAContainerAreAtTheTop) {
  write("mount/memory.max", "1000"), write("mount/memory.current", "1200");
  EXPECT_EQ(freeOf("0::/docker/0123"), 1) << "all of it is taken";
}

TEST_F(ControlGroups, ThatAreUnreadableLimitNothing) {
  EXPECT_EQ(freeOf(""), INFINITY);
  EXPECT_EQ(freeOf("no line of such a file"), INFINITY);
  EXPECT_EQ(freeOf("0::" + std::string(9000, 'a')), INFINITY);
  EXPECT_EQ(freeInControlGroups("/nowhere/at/all", "/sys/fs/cgroup"), INFINITY);
  EXPECT_GT(freeHostMemory(), 0);
}

}  // namespace
}  // namespace sulcus
