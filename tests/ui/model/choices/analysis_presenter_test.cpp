#include "ui/model/choices/analysis_presenter.h"

#include "core/image/display/layer_kinds.h"
#include "tests/support/expect_error.h"
#include "tests/ui/rich_analysis.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::fakeAnalysis;
using test::oneDevice;
using test::shared;
using test::volumeLayer;

struct AnalysisPresenterTest : testing::Test {
  Analysis analysis = fakeAnalysis();
  LayerStack layers;
  AnalysisPresenter presenter{analysis, layers};
};

TEST_F(AnalysisPresenterTest, TakesTheFirstFittingLayerForARequiredSlotAndLeavesOptionalOnesEmpty) {
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "Choose “Image” first.");
  const LayerId first = layers.add(shared(volumeLayer("a")));
  layers.add(shared(volumeLayer("b")));
  EXPECT_EQ(presenter.inputs().first("image"), first);
  EXPECT_EQ(presenter.inputs().first("mask"), 0);
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
}

TEST_F(AnalysisPresenterTest, KnowsWhichScanItsOptionsWereChosenForUntilOnesOfThisScanAreChosen) {
  const LayerId first = layers.add(shared(volumeLayer("first")));
  EXPECT_EQ(presenter.keptFrom(), "");
  presenter.options().set("gain", 5.);
  EXPECT_EQ(presenter.keptFrom(), "");
  const LayerId second = layers.add(shared(volumeLayer("second")));
  presenter.inputs().choose("image", second);
  EXPECT_EQ(presenter.keptFrom(), "first");
  presenter.inputs().choose("image", first);
  EXPECT_EQ(presenter.keptFrom(), "");
  presenter.inputs().choose("image", second);
  presenter.options().set("rounds", std::int64_t(3));  // after this, all belong to this one
  EXPECT_EQ(presenter.keptFrom(), "");
  presenter.inputs().choose("image", first);
  EXPECT_EQ(presenter.keptFrom(), "second");
  presenter.options().reset();
  EXPECT_EQ(presenter.keptFrom(), "");
}

TEST_F(AnalysisPresenterTest, KeepsParametersOfAnExampleForItsScanOnly) {
  presenter.options().set("gain", 3.);
  const LayerId example = layers.add(shared(volumeLayer("example")));
  presenter.takeExampleParameters({{"gain", 5.}});
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(5.));
  EXPECT_TRUE(presenter.areOfExample());
  layers.rename(example, "renamed");
  EXPECT_TRUE(presenter.areOfExample());
  const LayerId own = layers.add(shared(volumeLayer("own")));
  presenter.inputs().choose("image", own);
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(3.));
  EXPECT_FALSE(presenter.areOfExample());

  presenter.inputs().choose("image", example);
  presenter.takeExampleParameters({{"gain", 5.}});
  presenter.restore(presenter.choices());  // as a run that is opened does
  presenter.inputs().choose("image", own);
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(5.));

  presenter.inputs().choose("image", example);
  presenter.takeExampleParameters({{"gain", 5.}});
  presenter.options().set("rounds", std::int64_t(3));  // the user's from now on
  presenter.inputs().choose("image", own);
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(5.));
  EXPECT_EQ(presenter.options().values().at("rounds"), OptionValue(std::int64_t(3)));
}

TEST_F(AnalysisPresenterTest, TakesARenamedScanForTheSame) {
  Layer scan = volumeLayer("scan");
  scan.source = "/scans/scan.nii";
  const LayerId id = layers.add(shared(std::move(scan)));
  presenter.options().set("gain", 5.);
  layers.rename(id, "renamed");
  EXPECT_EQ(presenter.keptFrom(), "");
}

TEST_F(AnalysisPresenterTest, SaysHowMuchMemoryIsFreeWhereARunNeedsMore) {
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.memoryLine(), "Needs 1.0 MB of memory");
  Analysis greedy = analysis;
  greedy.memory = [](const AnalysisInputs&, const OptionValues&) { return MemoryNeed{1e15, 0}; };
  AnalysisPresenter presenterOfGreedy{greedy, layers};
  EXPECT_TRUE(presenterOfGreedy.memoryLine().endsWith(" are free"))
      << presenterOfGreedy.memoryLine().toStdString();
}

TEST_F(AnalysisPresenterTest, GivesEachRequiredSlotALayerOfItsOwn) {
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
struct MaskedPresenterTest : AnalysisPresenterTest {
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

TEST_F(MaskedPresenterTest, TakesAMaskOnTheGridOfTheImageWhicheverCameFirst) {
  const LayerId mask = layers.add(shared(maskOn({8, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), 0) << "there is no image yet";
  layers.add(shared(volumeLayer("scan", {8, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), mask);
}

TEST_F(MaskedPresenterTest, TakesNoMaskOfAnotherGridAndNoneWhereItWasEmptied) {
  layers.add(shared(volumeLayer("scan", {8, 8, 8})));
  layers.add(shared(maskOn({4, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), 0);
  const LayerId mask = layers.add(shared(maskOn({8, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), mask);
  presenterWithMask.inputs().choose("mask", 0);
  layers.add(shared(maskOn({8, 8, 8})));
  EXPECT_EQ(presenterWithMask.inputs().first("mask"), 0) << "someone chose none";
}

TEST_F(AnalysisPresenterTest, TakesLayersThatBelongToTheScanWhicheverCameFirst) {
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

TEST_F(AnalysisPresenterTest, TakesWhatAnOptionUsesOnlyWhileThatIsOn) {
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

TEST_F(AnalysisPresenterTest, OffersOnlyLayersThatFit) {
  const LayerId volume = layers.add(shared(volumeLayer("a")));
  Layer table;
  table.content = TableLayer{};
  const LayerId other = layers.add(shared(table));
  EXPECT_EQ(presenter.inputs().fitting(analysis.inputs[0]), std::vector<LayerId>{volume});
  presenter.inputs().choose("image", other);
  EXPECT_EQ(presenter.inputs().first("image"), volume);
}

TEST_F(AnalysisPresenterTest, AsksOfEachContentOnceWhatItFits) {
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

TEST_F(AnalysisPresenterTest, ForgetsALayerThatIsRemoved) {
  const LayerId id = layers.add(shared(volumeLayer("a")));
  QSignalSpy changed(&presenter.inputs(), &InputChoice::changed);
  layers.remove(id);
  EXPECT_EQ(presenter.inputs().first("image"), 0);
  EXPECT_GE(changed.count(), 1);
}

TEST_F(AnalysisPresenterTest, SaysWhyTheGpuCannotRun) {
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.whyNot(RunChoice::gpu), "GPU: looking for devices…");
  presenter.setDevices({true, {{}, "no CUDA driver"}});
  EXPECT_EQ(presenter.whyNot(RunChoice::gpu), "GPU: no CUDA driver");
  EXPECT_EQ(presenter.whyNot(RunChoice::both), "GPU: no CUDA driver");
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
  presenter.setDevices({true, oneDevice(1e9)});
  EXPECT_EQ(presenter.whyNot(RunChoice::gpu), "GPU: 2.0 GB needed, 1.0 GB free");
  presenter.setDevices({true, oneDevice(8e9)});
  EXPECT_EQ(presenter.whyNot(RunChoice::both), "");
}

TEST_F(AnalysisPresenterTest, KnowsARemoteGpu) {
  layers.add(shared(volumeLayer("a")));
  presenter.setDevices({true, oneDevice(8e9)});
  presenter.setGpuHost("ssh:server");
  EXPECT_EQ(presenter.whyNot(RunChoice::gpu), "GPU: looking for devices…") << "those there are others";
  EXPECT_TRUE(presenter.commandLine(RunChoice::gpu).contains("--backend ssh:server"));
  EXPECT_TRUE(presenter.commandLine(RunChoice::cpu).contains("--backend cpu"));
}

TEST_F(AnalysisPresenterTest, RefusesWrongOptionsAndKeepsTheOldOnes) {
  EXPECT_THROW(presenter.options().set("gain", 1e9), Error);
  EXPECT_THROW(presenter.options().set({{"gain", 3.0}, {"nonsense", 1.0}}), Error);
  EXPECT_EQ(std::get<double>(presenter.options().values().at("gain")), 2);
  presenter.options().set("gain", 3.0);
  presenter.options().reset();
  EXPECT_EQ(std::get<double>(presenter.options().values().at("gain")), 2);
}

TEST_F(AnalysisPresenterTest, AsksForAdviceAgainWhenAParameterChanges) {
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.advice(), "gain is 2");
  presenter.options().set("gain", 5.0);
  EXPECT_EQ(presenter.advice(), "gain is 5");
}

TEST_F(AnalysisPresenterTest, RefusesAtOnceWhatARunWouldRefuse) {
  analysis.advice = [](const AnalysisInputs&, const OptionValues& values) -> std::string {
    if (std::get<double>(values.at("gain")) > 50) throw Error("Too much", "it is loud", "lower --gain");
    return "fine";
  };
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
  presenter.options().set("gain", 60.0);
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "Too much (it is loud): lower “Gain”");
  EXPECT_EQ(presenter.advice(), "") << "said once";
}

TEST_F(AnalysisPresenterTest, TakesNoResultAutomatically) {
  const LayerId result = layers.add(shared(volumeLayer("iterations (CPU)")), Origin::computed);
  EXPECT_EQ(presenter.inputs().first("image"), 0);
  presenter.inputs().choose("image", result);
  EXPECT_EQ(presenter.inputs().first("image"), result) << "when it is chosen";
}

TEST_F(AnalysisPresenterTest, TakesAutomaticallyWhatItsSlotAllows) {
  analysis.inputs.front().unasked = [](const Layer& layer) { return layer.name == "b"; };
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.inputs().first("image"), 0);
  const LayerId b = layers.add(shared(volumeLayer("b")));
  EXPECT_EQ(presenter.inputs().first("image"), b);
}

TEST_F(AnalysisPresenterTest, ReleasesOnlyWhatItTookAutomatically) {
  layers.add(shared(volumeLayer("a")));
  const LayerId b = layers.add(shared(volumeLayer("b"))), c = layers.add(shared(volumeLayer("c")));
  EXPECT_TRUE(presenter.inputs().replaceAutomatic(b));
  EXPECT_EQ(presenter.inputs().first("image"), b);
  presenter.inputs().choose("image", b);  // by hand
  EXPECT_FALSE(presenter.inputs().replaceAutomatic(c));
  EXPECT_EQ(presenter.inputs().first("image"), b);
}

TEST_F(AnalysisPresenterTest, WritesTheCommandLineThatDoesTheSame) {
  Layer layer = volumeLayer("a");
  layer.source = "/scans/it's here.nii";
  layers.add(shared(layer));
  presenter.options().set("gain", 2.5);
  presenter.options().set("mode", std::string("doubled"));
  EXPECT_EQ(presenter.commandLine(RunChoice::both),
            "sulcus-cli fake --image '/scans/it'\\''s here.nii' --gain 2.5 --mode doubled --backend both "
            "--out fake_results");
}

struct RichPresenterTest : testing::Test {
  Analysis analysis = test::richAnalysis();
  LayerStack layers;
  AnalysisPresenter presenter{analysis, layers};
};

TEST_F(RichPresenterTest, TakesManyLayersInOrderAndEachOnce) {
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

TEST(PresenterOfMany, TakesAllThatFitOnTheGridOfTheFirst) {
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

TEST_F(RichPresenterTest, SaysWhenAnOptionThatChangesAResultHasChanged) {
  QSignalSpy adjustable(&presenter, &AnalysisPresenter::adjustableChanged);
  presenter.options().set("scale", 3.0);
  EXPECT_EQ(adjustable.count(), 0);
  presenter.options().set("level", 3.0);
  EXPECT_EQ(adjustable.count(), 1);
}

TEST_F(RichPresenterTest, KnowsItsPresets) {
  EXPECT_EQ(presenter.options().preset(), "");
  presenter.options().set("steps", std::int64_t(9));
  EXPECT_EQ(presenter.options().preset(), std::nullopt);
  presenter.options().setPreset("strict");
  EXPECT_EQ(presenter.options().preset(), "strict");
  presenter.options().set("level", 1.0);
  EXPECT_EQ(presenter.options().preset(), "paper") << "a look at the result is no other way to get it";
  presenter.options().setPreset("");
  EXPECT_EQ(presenter.options().values(), defaultsOf(analysis.options));
}

TEST_F(RichPresenterTest, TakesParametersOfAFileOrNone) {
  presenter.options().set("level", 1.0);
  presenter.options().takeParameters({{"steps", std::int64_t(9)}});
  OptionValues wanted = defaultsOf(analysis.options);
  wanted["steps"] = std::int64_t(9);
  EXPECT_EQ(presenter.options().values(), wanted) << "what the file does not name is as it is by default";
  test::expectError([&] { presenter.options().takeParameters({{"step", 1.0}}); }, {"no parameter 'step'"});
  EXPECT_THROW(presenter.options().takeParameters({{"level", 1.0}, {"steps", std::string("x")}}), Error);
  presenter.options().takeParameters({{"steps", std::int64_t(9)}, {"method", std::string("fast")}});
  test::expectError(
      [&] {
        presenter.options().takeParameters({{"method", std::string("slow")}});
      },
      {"--method cannot be 'slow' any more"}, ErrorKind::usage);
  EXPECT_EQ(presenter.options().values(), wanted);
}

TEST_F(RichPresenterTest, IsNotBotheredByPreviews) {
  const LayerId input = layers.add(shared(volumeLayer("a"))), preview = layers.add(shared(volumeLayer("b")));
  QSignalSpy changed(&presenter.inputs(), &InputChoice::changed);
  layers.replaceContent(preview, shared(volumeLayer("b")));
  EXPECT_EQ(changed.count(), 0);
  layers.replaceContent(input, shared(volumeLayer("a")));
  EXPECT_EQ(changed.count(), 1);
}

TEST(FormatBytesTest, UsesTheLargestUnitThatFits) {
  EXPECT_EQ(formatBytes(999), "999 B");
  EXPECT_EQ(formatBytes(1500), "1.5 kB");
  EXPECT_EQ(formatBytes(999.9e6), "1.0 GB");
  EXPECT_EQ(formatBytes(139e9), "139 GB");
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
