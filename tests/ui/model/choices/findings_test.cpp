// Problems found in files when they are opened, and reinterpretation of layers.
#include "ui/model/choices/findings.h"

#include "core/image/grids/axis_change.h"
#include "tests/ui/model/session/session_fixture.h"

#include <QFile>

namespace sulcus::ui::model {
namespace {

using test::volumeLayer;

/// The directions of a series in scanner axes.
const GradientTable& tableOf(const LayerState& state) {
  return std::get<VolumeLayer>(state.layer->content).gradients;
}

struct FindingsTest : SessionTest {
  FindingsTest() {
    // A series is wrong if its second direction does not point to the left.
    analyses.front().check = [](const Layer& layer, const Progress&) -> std::optional<Finding> {
      const auto* volume = std::get_if<VolumeLayer>(&layer.content);
      if (!volume || volume->gradients.empty() || volume->gradients.rows[1].directionWorld.x < 0)
        return std::nullopt;
      return Finding{"The directions do not fit", "Flip", {"axes -x y z"}};
    };
    start();
  }
  /// Opens a diffusion series of two volumes with its gradients in neighboring files.
  LayerId openSeries() {
    Layer scan = volumeLayer("dwi", {4, 5, 6}, 1, 2);
    std::get<VolumeLayer>(scan.content).gradients.rows = {{0, {}}, {1000, {1, 0, 0}}};
    io::saveLayer(scan, folder.filePath("dwi.nii").toStdString(), true);
    workspace->files().open({folder.filePath("dwi.nii")});
    EXPECT_TRUE(settle());
    const LayerState* state = named("dwi");
    return state ? state->id : 0;
  }
  bool found(LayerId id) {
    return waitFor([&] { return workspace->evaluation().findings.of(id) != nullptr; });
  }
};

TEST_F(FindingsTest, OffersWhatMendsAFileAndComesBackWithUndo) {
  const LayerId id = openSeries();
  ASSERT_TRUE(found(id));
  EXPECT_EQ(workspace->evaluation().findings.of(id)->remedy, "Flip");
  step();
  workspace->files().takeAs(id, workspace->evaluation().findings.of(id)->reinterpretation);
  ASSERT_TRUE(settle());
  ASSERT_TRUE(waitFor([&] { return workspace->evaluation().findings.of(id) == nullptr; }));
  EXPECT_EQ(tableOf(*layers().find(id)).rows[1].directionWorld.x, -1);
  step();
  session().undo();
  EXPECT_EQ(tableOf(*layers().find(id)).rows[1].directionWorld.x, 1);
  EXPECT_TRUE(workspace->evaluation().findings.of(id)) << "known, without another look";
  workspace->evaluation().findings.dismiss(id);
  EXPECT_FALSE(workspace->evaluation().findings.of(id));
}

TEST_F(FindingsTest, LooksAtFilesAlone) {
  Layer scan = volumeLayer("computed", {4, 5, 6}, 1, 2);
  std::get<VolumeLayer>(scan.content).gradients.rows = {{0, {}}, {1000, {1, 0, 0}}};
  const LayerId computed = layers().add(test::shared(std::move(scan)));
  const LayerId id = openSeries();
  ASSERT_TRUE(found(id));
  EXPECT_FALSE(workspace->evaluation().findings.of(computed));
}

TEST_F(FindingsTest, SessionsKeepHowALayerIsTaken) {
  const LayerId id = openSeries();
  workspace->files().takeAs(id, {"axes -x y z"});
  ASSERT_TRUE(settle());
  io::saveLayer(volumeLayer("warp", {4, 5, 6}, 1, 3), folder.filePath("warp.nii").toStdString(), true);
  workspace->files().open({folder.filePath("warp.nii")});
  ASSERT_TRUE(settle());
  Grid moving;
  moving.size = {7, 8, 9}, moving.worldFromVoxel.t = {1, 2, 3};
  workspace->files().takeAs(named("warp")->id, {"displacement fsl-relative", moving});
  ASSERT_TRUE(settle());
  const auto before = std::get<DisplacementLayer>(named("warp")->layer->content).displacement->values;
  save();
  start();
  open();
  ASSERT_TRUE(settle());
  ASSERT_TRUE(named("dwi"));
  EXPECT_EQ(tableOf(*named("dwi")).rows[1].directionWorld.x, -1);
  ASSERT_EQ(named("dwi")->layer->reinterpretations.size(), 1u);
  EXPECT_EQ(named("dwi")->layer->reinterpretations[0].how, "axes -x y z");
  ASSERT_TRUE(std::holds_alternative<DisplacementLayer>(named("warp")->layer->content));
  EXPECT_EQ(std::get<DisplacementLayer>(named("warp")->layer->content).displacement->values, before);
  ASSERT_TRUE(named("warp")->layer->reinterpretations[0].moving);
  EXPECT_EQ(named("warp")->layer->reinterpretations[0].moving->size, moving.size);
}

TEST_F(FindingsTest, ShowsAWarpBeforeItIsTaken) {
  const LayerId warp = layers().add(test::shared(volumeLayer("warp", {4, 5, 6}, 1, 3)));
  WarpPreview& preview = workspace->evaluation().warpPreview;
  preview.show(warp, {"displacement displacement"});
  const auto shown = [&]() -> const LayerState* {
    for (const LayerState& state : layers().layers())
      if (state.origin == Origin::temporary) return &state;
    return nullptr;
  };
  ASSERT_TRUE(waitFor([&] { return shown() != nullptr; }));
  EXPECT_TRUE(preview.summary().contains("median")) << preview.summary().toStdString();
  const LayerPtr first = shown()->layer;
  preview.show(warp, {"displacement itk"});
  ASSERT_TRUE(waitFor([&] { return shown()->layer != first; }));
  EXPECT_EQ(layers().layers().size(), 2u) << "one preview at a time";
  preview.hide();
  EXPECT_FALSE(shown());
  EXPECT_TRUE(layers().find(warp));
}

TEST_F(FindingsTest, MakesMapsOfADiffusionTensor) {
  const LayerId id = layers().add(test::shared(volumeLayer("tensor", {4, 5, 6}, 1, 6)));
  workspace->files().takeAs(id, {"tensor fsl"});
  ASSERT_TRUE(settle());
  workspace->evaluation().derived.makeDiffusionMaps(id);
  ASSERT_TRUE(settle());
  for (const char* name : {"fa", "md", "ad", "rd"}) EXPECT_TRUE(named(name)) << name;
  EXPECT_TRUE(named("fa")->display.visible);
}

}  // namespace
}  // namespace sulcus::ui::model
