#include "core/image/table_columns.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TableLayer table() { return {.columns = {"Onset", "onset", "trial_type"}, .rows = {}}; }

TEST(TableColumns, AreFoundByTheirExactName) {
  EXPECT_EQ(columnNamed(table(), "onset"), 1u);
  EXPECT_EQ(columnNamed(table(), "ONSET"), std::nullopt);
}

TEST(TableColumns, AreFoundByTheFirstNameThatAnyHasIgnoringCase) {
  EXPECT_EQ(columnNamedAny(table(), {"trial_type", "onset"}), 2u);
  EXPECT_EQ(columnNamedAny(table(), {"duration", "onset"}), 0u);
  EXPECT_EQ(columnNamedAny(table(), {"duration"}), std::nullopt);
}

}  // namespace
}  // namespace sulcus
