#include "core/bids/name.h"

#include <gtest/gtest.h>

namespace sulcus::bids {
namespace {

Name nameOf(const std::string& file) {
  std::string fault;
  return parsedName(file, fault).value();
}

TEST(BidsName, IsTakenApartAndPutTogether) {
  const Name name = nameOf("sub-01_task-nback_run-1_bold.nii.gz");
  EXPECT_EQ(name.label("task"), "nback");
  EXPECT_EQ(name.label("ses"), "");
  EXPECT_EQ(name.suffix, "bold");
  EXPECT_EQ(name.extension, ".nii.gz");
  EXPECT_EQ(name.text(), "sub-01_task-nback_run-1_bold.nii.gz");
  EXPECT_EQ(nameOf("task-nback_bold.json").label("sub"), "");
}

TEST(BidsName, RefusesInvalidNames) {
  std::string fault;
  for (const char* file : {"sub-01_", "sub-01.nii", "a_b.nii", "_bold.nii", ""}) {
    EXPECT_FALSE(parsedName(file, fault)) << file;
    EXPECT_EQ(fault, "") << file;
  }
  EXPECT_FALSE(parsedName("sub-01_run-1_run-2_bold.nii", fault));
  EXPECT_EQ(fault, "it has the entity 'run' twice");
  EXPECT_FALSE(parsedName("sub-01_run-_bold.nii", fault));
  EXPECT_NE(fault, "");
  for (const char* file :
       {"sub-a\nb_bold.nii", "sub-$(touch x)_bold.nii", "sub-\x1b[31m_bold.nii", "sub-a/b_dwi.nii"}) {
    EXPECT_FALSE(parsedName(file, fault)) << file;
    EXPECT_NE(fault.find("other characters than letters and digits"), fault.npos) << fault;
  }
  EXPECT_TRUE(parsedName("sub-01+a_acq-1-2_bold.nii", fault)) << fault;
  ASSERT_TRUE(parsedName("README", fault)) << "a suffix alone is what inherited files may be";
}

TEST(BidsName, PutsNewEntitiesWhereBidsWantsThem) {
  const Name scan = nameOf("sub-01_task-a_run-2_space-T1w_bold.nii.gz");
  EXPECT_EQ(scan.with("contrast", "faces - houses").with("desc", "x").with("acq", "hi").stem(),
            "sub-01_task-a_acq-hi_run-2_space-T1w_contrast-facesHouses_desc-x_bold");
  EXPECT_EQ(scan.with("run", "").stem(), "sub-01_task-a_space-T1w_bold");
  EXPECT_EQ(scan.with("run", "7").label("run"), "7");
  EXPECT_EQ(nameOf("sub-1_desc-a_x.nii").with("param", "b").stem(), "sub-1_param-b_desc-a_x");
}

TEST(BidsName, LabelsAreLettersAndDigits) {
  EXPECT_EQ(labelOf("avg152T1"), "avg152T1");
  EXPECT_EQ(labelOf("my template (2)"), "myTemplate2");
  EXPECT_EQ(labelOf("../.."), "unnamed");
  EXPECT_TRUE(sameLabel("01", "1"));
  EXPECT_TRUE(sameLabel("0", "00"));
  EXPECT_FALSE(sameLabel("01", "10"));
  EXPECT_FALSE(sameLabel("1", ""));
  EXPECT_FALSE(sameLabel("a1", "a01"));
}

TEST(BidsName, OrdersLabelsByTheirNumbers) {
  const std::vector<std::string> ordered{"1",      "2",     "10",   "baseline", "day9",
                                         "day010", "day11", "post", "post2"};
  for (std::size_t i = 0; i < ordered.size(); ++i)
    for (std::size_t j = 0; j < ordered.size(); ++j)
      EXPECT_EQ(labelBefore(ordered[i], ordered[j]), i < j) << ordered[i] << " " << ordered[j];
  EXPECT_FALSE(labelBefore("01", "1"));
  EXPECT_FALSE(labelBefore("1", "01"));
}

TEST(BidsName, DescribesScansThatHaveAllOfItsEntities) {
  const Name scan = nameOf("sub-01_task-a_run-1_bold.nii.gz");
  EXPECT_TRUE(nameOf("task-a_bold.json").describes(scan));
  EXPECT_FALSE(nameOf("task-b_bold.json").describes(scan));
  EXPECT_FALSE(nameOf("sub-01_task-a_acq-x_bold.json").describes(scan));
  EXPECT_TRUE(nameOf("sub-01_desc-brain_mask.nii.gz").describes(scan, {"desc"}));
}

}  // namespace
}  // namespace sulcus::bids
