#include "ui/model/choices/input_choice.h"

#include "core/image/display/layer_kinds.h"
#include "tests/ui/rich_analysis.h"
#include "ui/model/choices/analysis_presenter.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::fakeAnalysis;
using test::shared;
using test::volumeLayer;

struct InputChoiceTest : testing::Test {
  Analysis analysis = fakeAnalysis();
  LayerStack layers;
  AnalysisPresenter presenter{analysis, layers};
};

struct InputChoiceOfMany : testing::Test {
  Analysis analysis = test::richAnalysis();
  LayerStack layers;
  AnalysisPresenter presenter{analysis, layers};
};

TEST_F(InputChoiceTest, TakesTheFirstFittingLayerForARequiredSlotAndLeavesOptionalOnesEmpty) {
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "Choose “Image” first.");
  const LayerId first = layers.add(shared(volumeLayer("a")));
  layers.add(shared(volumeLayer("b")));
  EXPECT_EQ(presenter.inputs().first("image"), first);
  EXPECT_EQ(presenter.inputs().first("mask"), 0);
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
}

TEST_F(InputChoiceTest, GivesEachRequiredSlotALayerOfItsOwn) {
  Analysis two = analysis;
  two.inputs.push_back(two.inputs[0]);
  two.inputs.back().name = "other";
  AnalysisPresenter presenterOfTwo{two, layers};
  const LayerId first = layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenterOfTwo.inputs().first("other"), 0);
  const LayerId second = layers.add(shared(volumeLayer("b")));
  EXPECT_EQ(presenterOfTwo.inputs().first("image"), first);
  EXPECT_EQ(presenterOfTwo.inputs().first("other"), second);
}

/// The mask slot of the analyses: automatically takes a mask on the grid of the image.
struct MaskChoiceTest : InputChoiceTest {
  static Analysis masked(Analysis analysis) {
    InputSlot& mask = analysis.inputs.at(1);
    mask.suggested = true, mask.accepts = isMask, mask.unasked = isSingleLabel, mask.onGridOf = "image";
    return analysis;
  }
  static Layer maskOn(const Vec3<int>& size) {
    Mask mask(*gridOf(volumeLayer("like", size)));
    std::fill(mask.values.begin() + 1, mask.values.end(), std::uint8_t(1));
    return maskLayer("mask", mask);
  }
  Analysis withMask = masked(analysis);
  AnalysisPresenter presenterWithMask{withMask, layers};
};

TEST_F(MaskChoiceTest, TakesAMaskOnTheGridOfTheImageWhicheverCameFirst) {
  const LayerId mask = layers.add(shared(maskOn({8, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), 0) << "there is no image yet";
  layers.add(shared(volumeLayer("scan", {8, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), mask);
}

TEST_F(MaskChoiceTest, TakesNoMaskOfAnotherGridAndNoneWhereItWasEmptied) {
  layers.add(shared(volumeLayer("scan", {8, 8, 8})));
  layers.add(shared(maskOn({4, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), 0);
  const LayerId mask = layers.add(shared(maskOn({8, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), mask);
  presenterWithMask.inputs().choose("mask", 0);
  layers.add(shared(maskOn({8, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), 0) << "someone chose none";
}

TEST_F(InputChoiceTest, TakesLayersThatBelongToTheScanWhicheverCameFirst) {
  Analysis mapped = analysis;
  InputSlot maps{"fieldmap", "Field maps", "", false, isVolume, true};
  maps.onAnyGrid = true;
  maps.belongsTo = [](const Layer& layer, const Layer& scan) { return layer.name == "map of " + scan.name; };
  mapped.inputs.push_back(maps);
  AnalysisPresenter withMaps{mapped, layers};
  layers.add(shared(volumeLayer("head")));
  const LayerId first = layers.add(shared(volumeLayer("map of head", {4, 4, 4})));
  layers.add(shared(volumeLayer("map of another")));
  const LayerId second = layers.add(shared(volumeLayer("map of head", {5, 4, 4})));
  EXPECT_EQ(withMaps.inputs().of("fieldmap"), (std::vector{first, second}));
  LayerStack others;
  AnalysisPresenter later{mapped, others};
  others.add(shared(volumeLayer("head")));
  EXPECT_TRUE(later.inputs().of("fieldmap").empty());
}

TEST_F(InputChoiceTest, TakesWhatAnOptionUsesOnlyWhileThatIsOn) {
  Analysis mapped = analysis;
  InputSlot maps{"fieldmap", "Field maps", "", false, isVolume, true};
  maps.belongsTo = [](const Layer& layer, const Layer&) { return layer.name == "map"; };
  maps.usedWith = "failing";
  mapped.inputs.push_back(maps);
  AnalysisPresenter withMaps{mapped, layers};
  layers.add(shared(volumeLayer("head")));
  const LayerId map = layers.add(shared(volumeLayer("map")));
  EXPECT_TRUE(withMaps.inputs().of("fieldmap").empty());
  withMaps.options().set("failing", true);
  EXPECT_EQ(withMaps.inputs().of("fieldmap"), std::vector{map});
  withMaps.options().set("failing", false);
  EXPECT_TRUE(withMaps.inputs().of("fieldmap").empty());
  withMaps.inputs().choose("fieldmap", map);
  withMaps.options().set("gain", 2.0);
  EXPECT_EQ(withMaps.inputs().of("fieldmap"), std::vector{map}) << "someone chose it";
}

TEST_F(InputChoiceTest, OffersOnlyLayersThatFit) {
  const LayerId volume = layers.add(shared(volumeLayer("a")));
  Layer table;
  table.content = TableLayer{};
  const LayerId other = layers.add(shared(table));
  EXPECT_EQ(presenter.inputs().fitting(analysis.inputs[0]), std::vector<LayerId>{volume});
  presenter.inputs().choose("image", other);
  EXPECT_EQ(presenter.inputs().first("image"), volume);
}

TEST_F(InputChoiceTest, AsksOfEachContentOnceWhatItFits) {
  int asked = 0;
  analysis.inputs[0].accepts = [&](const Layer& layer) { return ++asked, isVolume(layer); };
  std::vector<LayerId> ids;
  for (const char* name : {"a", "b", "c"}) ids.insert(ids.begin(), layers.add(shared(volumeLayer(name))));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(presenter.inputs().fitting(analysis.inputs[0]), ids);
  EXPECT_EQ(asked, 3);
  Layer table;
  table.content = TableLayer{};
  layers.replaceContent(ids[0], shared(table));
  EXPECT_EQ(presenter.inputs().fitting(analysis.inputs[0]), (std::vector{ids[1], ids[2]}));
  EXPECT_EQ(asked, 5) << "once as a content that came, once as one that no longer fits";
}

TEST_F(InputChoiceTest, ForgetsALayerThatIsRemoved) {
  const LayerId id = layers.add(shared(volumeLayer("a")));
  QSignalSpy changed(&presenter.inputs(), &InputChoice::changed);
  layers.remove(id);
  EXPECT_EQ(presenter.inputs().first("image"), 0);
  EXPECT_GE(changed.count(), 1);
}

TEST_F(InputChoiceTest, TakesNoResultAutomatically) {
  const LayerId result = layers.add(shared(volumeLayer("iterations (CPU)")), Origin::computed);
  EXPECT_EQ(presenter.inputs().first("image"), 0);
  presenter.inputs().choose("image", result);
  EXPECT_EQ(presenter.inputs().first("image"), result) << "when it is chosen";
}

TEST_F(InputChoiceTest, TakesAutomaticallyWhatItsSlotAllows) {
  analysis.inputs.front().unasked = [](const Layer& layer) { return layer.name == "b"; };
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.inputs().first("image"), 0);
  const LayerId b = layers.add(shared(volumeLayer("b")));
  EXPECT_EQ(presenter.inputs().first("image"), b);
}

TEST_F(InputChoiceTest, ReleasesOnlyWhatItTookAutomatically) {
  layers.add(shared(volumeLayer("a")));
  const LayerId b = layers.add(shared(volumeLayer("b"))), c = layers.add(shared(volumeLayer("c")));
  EXPECT_TRUE(presenter.inputs().replaceAutomatic(b));
  EXPECT_EQ(presenter.inputs().first("image"), b);
  presenter.inputs().choose("image", b);  // by hand
  EXPECT_FALSE(presenter.inputs().replaceAutomatic(c));
  EXPECT_EQ(presenter.inputs().first("image"), b);
}

TEST_F(InputChoiceOfMany, TakesManyLayersInOrderAndEachOnce) {
  const LayerId a = layers.add(shared(volumeLayer("a"))), b = layers.add(shared(volumeLayer("b")));
  presenter.inputs().add("maps", b);
  presenter.inputs().add("maps", a);
  presenter.inputs().add("maps", b);
  EXPECT_EQ(presenter.inputs().of("maps"), (std::vector{b, a}));
  presenter.inputs().add("image", b);  // takes only one
  EXPECT_EQ(presenter.inputs().of("image"), std::vector{b});
  const AnalysisInputs inputs = presenter.inputs().contents();
  EXPECT_EQ(inputs.count("maps"), 2u);
  EXPECT_EQ(inputs.find("maps")->second->name, "b");
  layers.remove(b);
  EXPECT_EQ(presenter.inputs().of("maps"), std::vector{a});
}

TEST(InputChoiceOfSeveral, TakesAllThatFitOnTheGridOfTheFirst) {
  Analysis analysis = test::richAnalysis();
  for (InputSlot& slot : analysis.inputs)
    if (slot.name == "maps") slot.required = slot.suggested = true;
  std::erase_if(analysis.inputs, [](const InputSlot& slot) { return slot.name != "maps"; });
  LayerStack layers;
  AnalysisPresenter presenter{analysis, layers};
  const LayerId a = layers.add(shared(volumeLayer("a"))), b = layers.add(shared(volumeLayer("b")));
  Layer other = volumeLayer("other grid");
  std::get<VolumeLayer>(other.content).series = std::make_shared<const Series<float>>(Grid{{9, 9, 9}, {}}, 1);
  layers.add(shared(std::move(other)));
  EXPECT_EQ(presenter.inputs().of("maps"), (std::vector{a, b}));
  presenter.inputs().choose("maps", {b});
  layers.add(shared(volumeLayer("c")));
  EXPECT_EQ(presenter.inputs().of("maps"), std::vector{b}) << "what was chosen stays";
}

TEST_F(InputChoiceOfMany, IsNotBotheredByPreviews) {
  const LayerId input = layers.add(shared(volumeLayer("a"))), preview = layers.add(shared(volumeLayer("b")));
  QSignalSpy changed(&presenter.inputs(), &InputChoice::changed);
  layers.replaceContent(preview, shared(volumeLayer("b")));
  EXPECT_EQ(changed.count(), 0);
  layers.replaceContent(input, shared(volumeLayer("a")));
  EXPECT_EQ(changed.count(), 1);
}

struct SlotsOfOneKind : testing::Test {
  Analysis analysis = test::fakeAnalysis();  // image, mask
  LayerStack layers;
  Layer mask = maskLayer("mask", Mask(grid()));

  SlotsOfOneKind() {
    for (InputSlot& slot : analysis.inputs)
      slot.required = false, slot.oneOf = "surface", slot.suggested = slot.name == "mask";
  }
  static Grid grid() {
    Grid grid;
    grid.size = {4, 4, 4};
    return grid;
  }
};

TEST_F(SlotsOfOneKind, AreFilledByThemselvesWhereSuggestedAndOnlyWhileNoneIsChosen) {
  AnalysisPresenter presenter(analysis, layers);
  const LayerId image = layers.add(test::shared(test::volumeLayer("image")));
  EXPECT_EQ(presenter.inputs().first("image"), 0) << "it is not suggested";
  const LayerId first = layers.add(test::shared(mask));
  EXPECT_EQ(presenter.inputs().first("mask"), first);
  presenter.inputs().choose("mask", 0);
  presenter.inputs().choose("image", image);
  layers.add(test::shared(mask));
  EXPECT_EQ(presenter.inputs().first("mask"), 0) << "e.g. the mask of a result";
}

TEST_F(SlotsOfOneKind, MustOneOfThemBeFilled) {
  analysis.inputs.push_back({"scan", "Scan", "What is worked on", true, isVolume});
  AnalysisPresenter presenter(analysis, layers);
  const LayerId scan = layers.add(test::shared(test::volumeLayer("scan")));
  EXPECT_EQ(presenter.inputs().first("scan"), scan);
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "Choose “Image” or “Mask” first.");
  layers.add(test::shared(mask));
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
}

TEST_F(SlotsOfOneKind, GiveWayToEachOther) {
  AnalysisPresenter presenter(analysis, layers);
  const LayerId image = layers.add(test::shared(test::volumeLayer("image")));
  const LayerId first = layers.add(test::shared(mask));
  presenter.inputs().choose("image", image);
  EXPECT_EQ(presenter.inputs().first("mask"), 0);
  EXPECT_EQ(presenter.inputs().first("image"), image);
  presenter.inputs().choose("mask", first);
  EXPECT_EQ(presenter.inputs().first("mask"), first);
  EXPECT_EQ(presenter.inputs().first("image"), 0);
}

}  // namespace
}  // namespace sulcus::ui::model
