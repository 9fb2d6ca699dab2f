#include "ui/model/runs/run_titles.h"

#include "tests/ui/rich_analysis.h"
#include "ui/model/choices/option_choice.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

struct RunTitles : testing::Test {
  Analysis analysis = test::richAnalysis();

  model::Run run(Backend backend, const OptionValues& changed = {}, const QString& image = "brain") {
    model::Run run;
    run.analysis = &analysis;
    run.backend = backend;
    run.options = defaultsOf(analysis.options);
    for (const auto& [name, value] : changed) run.options[name] = value;
    run.inputNames.emplace("image", image);
    return run;
  }
  static QStringList titles(const std::vector<model::Run>& runs) {
    std::vector<const model::Run*> pointers;
    for (const model::Run& run : runs) pointers.push_back(&run);
    return runTitles(pointers);
  }
};

TEST_F(RunTitles, AreTheBackendsWhereNothingElseDiffers) {
  EXPECT_EQ(titles({}), QStringList());
  EXPECT_EQ(titles({run(Backend::cpu), run(Backend::gpu)}), (QStringList{"CPU", "GPU"}));
  EXPECT_EQ(titles({run(Backend::cpu), run(Backend::cpu)}), (QStringList{"CPU", "CPU 2"}));
}

TEST_F(RunTitles, NameTheValuesThatDiffer) {
  EXPECT_EQ(titles({run(Backend::cpu, {{"scale", 3.0}}), run(Backend::cpu, {{"scale", 45.0}})}),
            (QStringList{"CPU, Scale 3", "CPU, Scale 45"}));
  EXPECT_EQ(titles({run(Backend::cpu), run(Backend::gpu, {{"hold", true}})}),
            (QStringList{"CPU, no Hold", "GPU, Hold"}));
}

TEST_F(RunTitles, NameTheInputsThatDiffer) {
  EXPECT_EQ(titles({run(Backend::cpu, {}, "one"), run(Backend::cpu, {}, "two")}),
            (QStringList{"CPU, one", "CPU, two"}));
  model::Run without = run(Backend::cpu);
  model::Run with = run(Backend::cpu);
  with.inputNames.emplace("maps", "gray");
  with.inputNames.emplace("maps", "white");
  EXPECT_EQ(titles({without, with}), (QStringList{"CPU, no Maps", "CPU, gray + white"}));
}

TEST_F(RunTitles, NameWhatASliderChangedOfOneOfThem) {
  EXPECT_EQ(titles({run(Backend::cpu, {{"level", 3.0}}), run(Backend::cpu)}),
            (QStringList{"CPU, Level 3 %", "CPU, Level 0 %"}));
}

TEST_F(RunTitles, NameThePresetsWhereSeveralOptionsDiffer) {
  analysis.presets = {{"paper", "", {{"scale", 7.0}, {"hold", true}}}};
  const model::Run paper = run(Backend::cpu, {{"scale", 7.0}, {"hold", true}});
  EXPECT_EQ(titles({run(Backend::cpu), paper}), (QStringList{"CPU, default", "CPU, paper"}));
}

TEST_F(RunTitles, NameNoMoreThanFits) {
  const QStringList many = titles(
      {run(Backend::cpu, {{"scale", 3.0}, {"steps", std::int64_t(5)}, {"hold", true}, {"failing", true}}),
       run(Backend::cpu)});
  EXPECT_EQ(many.front(), "CPU, Scale 3, Steps 5, Hold, …");
}

}  // namespace
}  // namespace sulcus::ui::model
