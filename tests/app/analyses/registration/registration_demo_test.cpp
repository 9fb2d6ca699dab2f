#include "app/analyses/registration/registration_demo.h"

#include "app/analyses/registration/registration_inputs.h"
#include "tests/support/expect_error.h"

#include <set>

#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

OptionValues small() { return {{"size", std::int64_t(32)}, {"noise", 0.0}}; }

std::multiset<std::string> slotsOf(const AnalysisInputs& inputs) {
  std::multiset<std::string> slots;
  for (const auto& [slot, layer] : inputs) slots.insert(slot);
  return slots;
}

/// The computed brain as a scan, and its object as labels.
AnalysisInputs scan() {
  OptionValues values = small();
  values["kind"] = std::string("brain");
  const AnalysisInputs brain = registrationDemo(values);
  AnalysisInputs given{{"image", brain.find("template")->second}};
  for (auto [truth, end] = brain.equal_range("truth"); truth != end; ++truth)
    if (truth->second->name == "object") given.emplace("labels", truth->second);
  return given;
}

TEST(RegistrationDemo, IsASmallCWithoutATruth) {
  OptionValues values;
  for (const auto& option : registrationDemoOptions()) values[option.name] = option.defaultValue;
  EXPECT_EQ(slotsOf(registrationDemo(values)), (std::multiset<std::string>{"reference", "template"}));
}

TEST(RegistrationDemo, OfAScanFillsTheSlotsOfTheAnalysis) {
  const AnalysisInputs pair = registrationPhantomOf(scan(), small());
  EXPECT_EQ(slotsOf(pair), (std::multiset<std::string>{"labels", "reference", "reference-labels", "template",
                                                       "truth", "truth"}));
  for (const auto& slot : registrationSlots())
    for (auto [input, end] = pair.equal_range(slot.name); input != end; ++input) {
      EXPECT_TRUE(slot.accepts(*input->second)) << slot.name;
    }
  const Grid& grid = *gridOf(*pair.find("reference")->second);
  EXPECT_TRUE(registrationTruth(pair, grid).displacement);
  EXPECT_TRUE(labelsIn(pair, "reference-labels", grid, "reference"));
}

TEST(RegistrationDemo, OfAScanNeedsTheScan) {
  AnalysisInputs labels = scan();
  labels.erase("image");
  test::expectError([&] { registrationPhantomOf(labels, small()); }, {"There are labels but no image"},
                    ErrorKind::usage);
  AnalysisInputs image = scan();
  image.erase("labels");
  EXPECT_EQ(registrationPhantomOf(image, small()).count("labels"), 0u);
}

}  // namespace
}  // namespace sulcus::app::analyses
