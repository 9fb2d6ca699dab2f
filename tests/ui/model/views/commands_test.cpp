#include "ui/model/views/commands.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(CommandsTest, RunByNameAndOnlyWhenEnabled) {
  Commands commands;
  int runs = 0;
  bool enabled = false;
  commands.add(
      "a", "&A…", "", [&] { ++runs; }, [&] { return enabled; });
  EXPECT_FALSE(commands.trigger("a"));
  EXPECT_FALSE(commands.trigger("b"));
  enabled = true;
  EXPECT_TRUE(commands.trigger("a"));
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(Commands::plainText(*commands.find("a")), "A");
}

}  // namespace
}  // namespace sulcus::ui::model
