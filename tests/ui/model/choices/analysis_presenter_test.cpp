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
  EXPECT_EQ(presenter.input("image"), first);
  EXPECT_EQ(presenter.input("mask"), 0);
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
}

TEST_F(AnalysisPresenterTest, KnowsWhichScanItsOptionsWereChosenForUntilOnesOfThisScanAreChosen) {
  const LayerId first = layers.add(shared(volumeLayer("first")));
  EXPECT_EQ(presenter.keptFrom(), "");
  presenter.setOption("gain", 5.);
  EXPECT_EQ(presenter.keptFrom(), "");
  const LayerId second = layers.add(shared(volumeLayer("second")));
  presenter.setInput("image", second);
  EXPECT_EQ(presenter.keptFrom(), "first");
  presenter.setInput("image", first);
  EXPECT_EQ(presenter.keptFrom(), "");
  presenter.setInput("image", second);
  presenter.setOption("rounds", std::int64_t(3));  // after this, all belong to this one
  EXPECT_EQ(presenter.keptFrom(), "");
  presenter.setInput("image", first);
  EXPECT_EQ(presenter.keptFrom(), "second");
  presenter.resetOptions();
  EXPECT_EQ(presenter.keptFrom(), "");
}

TEST_F(AnalysisPresenterTest, KeepsParametersOfAnExampleForItsScanOnly) {
  presenter.setOption("gain", 3.);
  const LayerId example = layers.add(shared(volumeLayer("example")));
  presenter.takeExampleParameters({{"gain", 5.}});
  EXPECT_EQ(presenter.options().at("gain"), OptionValue(5.));
  EXPECT_TRUE(presenter.areOfExample());
  layers.rename(example, "renamed");
  EXPECT_TRUE(presenter.areOfExample());
  const LayerId own = layers.add(shared(volumeLayer("own")));
  presenter.setInput("image", own);
  EXPECT_EQ(presenter.options().at("gain"), OptionValue(3.));
  EXPECT_FALSE(presenter.areOfExample());

  presenter.setInput("image", example);
  presenter.takeExampleParameters({{"gain", 5.}});
  presenter.restore(presenter.choices());  // as a run that is opened does
  presenter.setInput("image", own);
  EXPECT_EQ(presenter.options().at("gain"), OptionValue(5.));

  presenter.setInput("image", example);
  presenter.takeExampleParameters({{"gain", 5.}});
  presenter.setOption("rounds", std::int64_t(3));  // the user's from now on
  presenter.setInput("image", own);
  EXPECT_EQ(presenter.options().at("gain"), OptionValue(5.));
  EXPECT_EQ(presenter.options().at("rounds"), OptionValue(std::int64_t(3)));
}

TEST_F(AnalysisPresenterTest, TakesARenamedScanForTheSame) {
  Layer scan = volumeLayer("scan");
  scan.source = "/scans/scan.nii";
  const LayerId id = layers.add(shared(std::move(scan)));
  presenter.setOption("gain", 5.);
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
  EXPECT_EQ(presenterOfTwo.input("other"), 0);
  const LayerId second = layers.add(shared(volumeLayer("b")));
  EXPECT_EQ(presenterOfTwo.input("image"), first);
  EXPECT_EQ(presenterOfTwo.input("other"), second);
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
  EXPECT_EQ(presenterWithMask.input("mask"), 0) << "there is no image yet";
  layers.add(shared(volumeLayer("scan", {8, 8, 8})));
  EXPECT_EQ(presenterWithMask.input("mask"), mask);
}

TEST_F(MaskedPresenterTest, TakesNoMaskOfAnotherGridAndNoneWhereItWasEmptied) {
  layers.add(shared(volumeLayer("scan", {8, 8, 8})));
  layers.add(shared(maskOn({4, 8, 8})));
  EXPECT_EQ(presenterWithMask.input("mask"), 0);
  const LayerId mask = layers.add(shared(maskOn({8, 8, 8})));
  EXPECT_EQ(presenterWithMask.input("mask"), mask);
  presenterWithMask.setInput("mask", 0);
  layers.add(shared(maskOn({8, 8, 8})));
  EXPECT_EQ(presenterWithMask.input("mask"), 0) << "someone chose none";
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
  EXPECT_EQ(withMaps.inputsOf("fieldmap"), (std::vector{first, second}));
  LayerStack others;
  AnalysisPresenter later{mapped, others};
  others.add(shared(volumeLayer("head")));
  EXPECT_TRUE(later.inputsOf("fieldmap").empty());
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
  EXPECT_TRUE(withMaps.inputsOf("fieldmap").empty());
  withMaps.setOption("failing", true);
  EXPECT_EQ(withMaps.inputsOf("fieldmap"), std::vector{map});
  withMaps.setOption("failing", false);
  EXPECT_TRUE(withMaps.inputsOf("fieldmap").empty());
  withMaps.setInput("fieldmap", map);
  withMaps.setOption("gain", 2.0);
  EXPECT_EQ(withMaps.inputsOf("fieldmap"), std::vector{map}) << "someone chose it";
}

TEST_F(AnalysisPresenterTest, OffersOnlyLayersThatFit) {
  const LayerId volume = layers.add(shared(volumeLayer("a")));
  Layer table;
  table.content = TableLayer{};
  const LayerId other = layers.add(shared(table));
  EXPECT_EQ(presenter.fitting(analysis.inputs[0]), std::vector<LayerId>{volume});
  presenter.setInput("image", other);
  EXPECT_EQ(presenter.input("image"), volume);
}

TEST_F(AnalysisPresenterTest, AsksOfEachContentOnceWhatItFits) {
  int asked = 0;
  analysis.inputs[0].accepts = [&](const Layer& layer) { return ++asked, isVolume(layer); };
  std::vector<LayerId> ids;
  for (const char* name : {"a", "b", "c"}) ids.insert(ids.begin(), layers.add(shared(volumeLayer(name))));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(presenter.fitting(analysis.inputs[0]), ids);
  EXPECT_EQ(asked, 3);
  Layer table;
  table.content = TableLayer{};
  layers.replaceContent(ids[0], shared(table));
  EXPECT_EQ(presenter.fitting(analysis.inputs[0]), (std::vector{ids[1], ids[2]}));
  EXPECT_EQ(asked, 5) << "once as a content that came, once as one that no longer fits";
}

TEST_F(AnalysisPresenterTest, ForgetsALayerThatIsRemoved) {
  const LayerId id = layers.add(shared(volumeLayer("a")));
  QSignalSpy changed(&presenter, &AnalysisPresenter::inputsChanged);
  layers.remove(id);
  EXPECT_EQ(presenter.input("image"), 0);
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
  EXPECT_THROW(presenter.setOption("gain", 1e9), Error);
  EXPECT_THROW(presenter.setOptions({{"gain", 3.0}, {"nonsense", 1.0}}), Error);
  EXPECT_EQ(std::get<double>(presenter.options().at("gain")), 2);
  presenter.setOption("gain", 3.0);
  presenter.resetOptions();
  EXPECT_EQ(std::get<double>(presenter.options().at("gain")), 2);
}

TEST_F(AnalysisPresenterTest, AsksForAdviceAgainWhenAParameterChanges) {
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.advice(), "gain is 2");
  presenter.setOption("gain", 5.0);
  EXPECT_EQ(presenter.advice(), "gain is 5");
}

TEST_F(AnalysisPresenterTest, RefusesAtOnceWhatARunWouldRefuse) {
  analysis.advice = [](const AnalysisInputs&, const OptionValues& values) -> std::string {
    if (std::get<double>(values.at("gain")) > 50) throw Error("Too much", "it is loud", "lower --gain");
    return "fine";
  };
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
  presenter.setOption("gain", 60.0);
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "Too much (it is loud): lower “Gain”");
  EXPECT_EQ(presenter.advice(), "") << "said once";
}

TEST_F(AnalysisPresenterTest, TakesNoResultAutomatically) {
  const LayerId result = layers.add(shared(volumeLayer("iterations (CPU)")), Origin::computed);
  EXPECT_EQ(presenter.input("image"), 0);
  presenter.setInput("image", result);
  EXPECT_EQ(presenter.input("image"), result) << "when it is chosen";
}

TEST_F(AnalysisPresenterTest, TakesAutomaticallyWhatItsSlotAllows) {
  analysis.inputs.front().unasked = [](const Layer& layer) { return layer.name == "b"; };
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.input("image"), 0);
  const LayerId b = layers.add(shared(volumeLayer("b")));
  EXPECT_EQ(presenter.input("image"), b);
}

TEST_F(AnalysisPresenterTest, ReleasesOnlyWhatItTookAutomatically) {
  layers.add(shared(volumeLayer("a")));
  const LayerId b = layers.add(shared(volumeLayer("b"))), c = layers.add(shared(volumeLayer("c")));
  EXPECT_TRUE(presenter.takeInstead(b));
  EXPECT_EQ(presenter.input("image"), b);
  presenter.setInput("image", b);  // by hand
  EXPECT_FALSE(presenter.takeInstead(c));
  EXPECT_EQ(presenter.input("image"), b);
}

TEST_F(AnalysisPresenterTest, WritesTheCommandLineThatDoesTheSame) {
  Layer layer = volumeLayer("a");
  layer.source = "/scans/it's here.nii";
  layers.add(shared(layer));
  presenter.setOption("gain", 2.5);
  presenter.setOption("mode", std::string("doubled"));
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
  presenter.addInput("maps", b);
  presenter.addInput("maps", a);
  presenter.addInput("maps", b);
  EXPECT_EQ(presenter.inputsOf("maps"), (std::vector{b, a}));
  presenter.addInput("image", b);  // takes only one
  EXPECT_EQ(presenter.inputsOf("image"), std::vector{b});
  const AnalysisInputs inputs = presenter.inputs();
  EXPECT_EQ(inputs.count("maps"), 2u);
  EXPECT_EQ(inputs.find("maps")->second->name, "b");
  layers.remove(b);
  EXPECT_EQ(presenter.inputsOf("maps"), std::vector{a});
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
  EXPECT_EQ(presenter.inputsOf("maps"), (std::vector{a, b}));
  presenter.setInputs("maps", {b});
  layers.add(shared(volumeLayer("c")));
  EXPECT_EQ(presenter.inputsOf("maps"), std::vector{b}) << "what was chosen stays";
}

TEST_F(RichPresenterTest, SaysWhenAnOptionThatChangesAResultHasChanged) {
  QSignalSpy adjustable(&presenter, &AnalysisPresenter::adjustableChanged);
  presenter.setOption("scale", 3.0);
  EXPECT_EQ(adjustable.count(), 0);
  presenter.setOption("level", 3.0);
  EXPECT_EQ(adjustable.count(), 1);
}

TEST_F(RichPresenterTest, KnowsItsPresets) {
  EXPECT_EQ(presenter.preset(), "");
  presenter.setOption("steps", std::int64_t(9));
  EXPECT_EQ(presenter.preset(), std::nullopt);
  presenter.setPreset("strict");
  EXPECT_EQ(presenter.preset(), "strict");
  presenter.setOption("level", 1.0);
  EXPECT_EQ(presenter.preset(), "paper") << "a look at the result is no other way to get it";
  presenter.setPreset("");
  EXPECT_EQ(presenter.options(), defaultsOf(analysis.options));
}

TEST_F(RichPresenterTest, TakesParametersOfAFileOrNone) {
  presenter.setOption("level", 1.0);
  presenter.takeParameters({{"steps", std::int64_t(9)}});
  OptionValues wanted = defaultsOf(analysis.options);
  wanted["steps"] = std::int64_t(9);
  EXPECT_EQ(presenter.options(), wanted) << "what the file does not name is as it is by default";
  test::expectError([&] { presenter.takeParameters({{"step", 1.0}}); }, {"no parameter 'step'"});
  EXPECT_THROW(presenter.takeParameters({{"level", 1.0}, {"steps", std::string("x")}}), Error);
  EXPECT_EQ(presenter.options(), wanted);
}

TEST_F(RichPresenterTest, IsNotBotheredByPreviews) {
  const LayerId input = layers.add(shared(volumeLayer("a"))), preview = layers.add(shared(volumeLayer("b")));
  QSignalSpy changed(&presenter, &AnalysisPresenter::inputsChanged);
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
  EXPECT_EQ(presenter.input("image"), 0) << "it is not suggested";
  const LayerId first = layers.add(test::shared(mask));
  EXPECT_EQ(presenter.input("mask"), first);
  presenter.setInput("mask", 0);
  presenter.setInput("image", image);
  layers.add(test::shared(mask));
  EXPECT_EQ(presenter.input("mask"), 0) << "e.g. the mask of a result";
}

TEST_F(SlotsOfOneKind, MustOneOfThemBeFilled) {
  analysis.inputs.push_back({"scan", "Scan", "What is worked on", true, isVolume});
  AnalysisPresenter presenter(analysis, layers);
  const LayerId scan = layers.add(test::shared(test::volumeLayer("scan")));
  EXPECT_EQ(presenter.input("scan"), scan);
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "Choose “Image” or “Mask” first.");
  layers.add(test::shared(mask));
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
}

TEST_F(SlotsOfOneKind, GiveWayToEachOther) {
  AnalysisPresenter presenter(analysis, layers);
  const LayerId image = layers.add(test::shared(test::volumeLayer("image")));
  const LayerId first = layers.add(test::shared(mask));
  presenter.setInput("image", image);
  EXPECT_EQ(presenter.input("mask"), 0);
  EXPECT_EQ(presenter.input("image"), image);
  presenter.setInput("mask", first);
  EXPECT_EQ(presenter.input("mask"), first);
  EXPECT_EQ(presenter.input("image"), 0);
}

}  // namespace
}  // namespace sulcus::ui::model
