// Reinterpretation of layers in the window.
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/transform_table.h"
#include "core/io/files.h"
#include "tests/core/io/dicom/dicom_bytes.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/model/layers/readout.h"
#include "ui/widgets/dialogs/displacement_dialog.h"
#include "ui/widgets/panels/layer_properties.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::volumeLayer;

struct ReinterpretWindowTest : WindowFixture {
  ReinterpretWindowTest() {
    // A series is wrong if its second direction does not point to the left.
    analyses.front().check = [](const Layer& layer, const Progress&) -> std::optional<Finding> {
      const auto* volume = std::get_if<VolumeLayer>(&layer.content);
      if (!volume || volume->gradients.empty() || volume->gradients.rows[1].directionWorld.x < 0)
        return std::nullopt;
      return Finding{"The directions do not fit", "Flip gradients along x", {"axes -x y z"}};
    };
  }
  void SetUp() override {
    open();
    window->resize(1200, 800);
  }
};

TEST_F(ReinterpretWindowTest, AButtonMendsTheGradients) {
  Layer scan = volumeLayer("dwi", {8, 8, 8}, 1, 2);
  std::get<VolumeLayer>(scan.content).gradients.rows = {{0, {}}, {1000, {1, 0, 0}}};
  scan.source = folder.filePath("dwi.nii").toStdString();
  const model::LayerId id = add(std::move(scan));
  auto* box = child<QWidget>("finding");
  ASSERT_TRUE(waitFor([&] { return box->isVisible(); }));
  EXPECT_TRUE(child<QLabel>("findingText")->text().contains("do not fit"));
  auto* mend = child<QPushButton>("findingMend");
  EXPECT_EQ(mend->text(), "Flip gradients along x");
  keep("gradient_check");
  mend->click();
  ASSERT_TRUE(waitFor([&] { return !box->isVisible(); }));
  const auto& volume = std::get<VolumeLayer>(layers().find(id)->layer->content);
  EXPECT_EQ(volume.gradients.rows[1].directionWorld.x, -1);
  ASSERT_TRUE(window->trigger("layer.flipX")) << "by hand, back again";
  ASSERT_TRUE(waitFor([&] { return box->isVisible(); }));
  child<QPushButton>("findingLeave")->click();
  EXPECT_FALSE(box->isVisible());
}

// Qt 6.4 writes out of bounds if a form row whose height depends on its width is hidden or shown, and rows of
// properties are, from layer to layer.
TEST_F(ReinterpretWindowTest, NoRowOfPropertiesGrowsWithItsWidth) {
  int rows = 0;
  for (const auto* properties : window->findChildren<LayerProperties*>())
    for (const auto* form : properties->findChildren<QFormLayout*>())
      for (int row = 0; row < form->rowCount(); ++row)
        for (const auto role : {QFormLayout::LabelRole, QFormLayout::FieldRole, QFormLayout::SpanningRole})
          if (const QLayoutItem* item = form->itemAt(row, role); item && item->widget()) {
            const QWidget* field = item->widget();
            ++rows;
            EXPECT_FALSE(field->hasHeightForWidth() ||
                         (field->layout() && field->layout()->hasHeightForWidth()))
                << "row " << row << ", " << field->objectName().toStdString();
          }
  EXPECT_GT(rows, 10);
}

TEST_F(ReinterpretWindowTest, HarmonicsAreTakenAsFunctions) {
  EXPECT_FALSE(window->trigger("layer.takeAsHarmonics"));
  Layer image = volumeLayer("fod", {8, 8, 8}, 1, 15);
  auto series = std::make_shared<Series<float>>(std::get<VolumeLayer>(image.content).series->grid, 15);
  for (std::int64_t i = 0; i < series->grid.voxels(); ++i)
    series->at(i, 0) = 1, series->at(i, 3) = 1;  // longer along z
  std::get<VolumeLayer>(image.content).series = std::move(series);
  const model::LayerId id = add(std::move(image));
  ASSERT_TRUE(window->trigger("layer.takeAsHarmonics"));
  ASSERT_TRUE(waitFor([&] { return isFunctionAlone(*layers().find(id)->layer); }));
  EXPECT_FALSE(child<QComboBox>("glyphs")->isVisible()) << "they are lobes";
  keep("harmonics");
  EXPECT_FALSE(window->trigger("layer.functions")) << "it is one";
  EXPECT_FALSE(window->trigger("layer.diffusionMaps"));
  EXPECT_EQ(model::valueAt(*layers().find(id), {0, 0, 0}), "");
}

TEST_F(ReinterpretWindowTest, FunctionsOfPeaksBecomeALayer) {
  Layer tensors = volumeLayer("dti", {8, 8, 8}, 1, 6);
  const model::LayerId id = add(std::move(tensors));
  ASSERT_TRUE(window->trigger("layer.takeAsTensorDipy"));
  ASSERT_TRUE(waitFor([&] { return std::holds_alternative<PeaksLayer>(layers().find(id)->layer->content); }));
  ASSERT_TRUE(window->trigger("layer.functions"));
  const model::LayerState* functions = named("dti_functions");
  ASSERT_TRUE(functions);
  EXPECT_TRUE(isFunctionAlone(*functions->layer));
}

TEST_F(ReinterpretWindowTest, AWarpIsSeenBeforeItIsTaken) {
  add(volumeLayer("reference", {8, 8, 8}));
  Layer numbers = volumeLayer("warp", {8, 8, 8}, 1, 3);
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(numbers.content).series);
  std::fill(series->values.begin(), series->values.end(), 1.0f);  // interpreted as 1 mm, not as positions
  std::get<VolumeLayer>(numbers.content).series = std::move(series);
  const model::LayerId warp = add(std::move(numbers));
  ASSERT_TRUE(window->trigger("layer.takeAsDisplacement"));
  auto* dialog = child<DisplacementDialog>("displacementDialog");
  ASSERT_TRUE(dialog);
  ASSERT_TRUE(waitFor([&] { return named("warp (preview)") != nullptr; }));
  EXPECT_FALSE(layers().find(warp)->display.visible) << "its numbers would hide the reference";
  keep("warp_preview");
  auto* moving = dialog->findChild<QComboBox*>("warpMoving");
  EXPECT_FALSE(moving->isEnabled());
  dialog->findChild<QComboBox*>("warpFormat")->setCurrentIndex(3);
  EXPECT_TRUE(moving->isEnabled()) << "FSL counts in the image that is moved";
  moving->setCurrentIndex(1);
  ASSERT_TRUE(waitFor([&] { return dialog->findChild<QLabel*>("warpSummary")->text().contains("median"); }));
  dialog->findChild<QPushButton*>("warpTake")->click();
  ASSERT_TRUE(waitFor(
      [&] { return std::holds_alternative<DisplacementLayer>(layers().find(warp)->layer->content); }));
  EXPECT_FALSE(named("warp (preview)"));
  EXPECT_TRUE(layers().find(warp)->display.visible);
  EXPECT_EQ(layers().find(warp)->layer->reinterpretations.at(0).how, "displacement fsl-relative");
  EXPECT_TRUE(layers().find(warp)->layer->reinterpretations.at(0).moving);
}

TEST_F(ReinterpretWindowTest, APatientIsNamedOnceAndKeptNowhere) {
  add(volumeLayer("T1"));
  EXPECT_FALSE(window->trigger("layer.patient")) << "it is not of DICOM";
  ASSERT_TRUE(QDir().mkpath(folder.filePath("scan")));
  QFile slice(folder.filePath("scan/slice.dcm"));
  ASSERT_TRUE(slice.open(QIODevice::WriteOnly));
  slice.write(QByteArray::fromStdString(test::DicomFile().set(0x00100010, "PN", "Secret^Person").bytes()));
  slice.close();
  workspace->files().open({folder.filePath("scan")});
  ASSERT_TRUE(waitFor([&] { return layers().layers().size() == 2; }));
  ASSERT_TRUE(window->trigger("layer.patient"));
  ASSERT_TRUE(waitFor([&] { return child<QMessageBox>("patient") != nullptr; }));
  EXPECT_EQ(child<QMessageBox>("patient")->text(), "Secret, Person");
  const QString file = folder.filePath("patient.sulcus");
  workspace->session().save(file);
  ASSERT_TRUE(waitFor([&] { return workspace->files().pending() == 0; }));
  QFile session(file);
  ASSERT_TRUE(session.open(QIODevice::ReadOnly));
  EXPECT_FALSE(session.readAll().contains("Secret"));
}

TEST_F(ReinterpretWindowTest, AFieldBringsAnotherLayerAlong) {
  std::string asked;
  analyses.front().applyField = [&asked](const AnalysisInputs& inputs, const OptionValues& values,
                                         const Progress&) {
    for (const auto& [slot, layer] : inputs) asked += slot + " " + layer->name + ", ";
    asked += std::get<std::string>(values.at("interpolation"));
    for (const char* option : {"inverse", "fill"})
      if (const auto given = values.find(option); given != values.end())
        asked += std::string(", ") + option + " " + std::get<std::string>(given->second);
    return *inputs.find("image")->second;
  };
  EXPECT_FALSE(window->trigger("layer.applyField")) << "there is no field";
  add(volumeLayer("T1", {8, 8, 8}));
  Layer field = volumeLayer("displacement", {8, 8, 8}, 0, 3);
  field.content = DisplacementLayer{std::get<VolumeLayer>(field.content).series};
  add(std::move(field));
  add(volumeLayer("map", {8, 8, 8}));
  ASSERT_TRUE(window->trigger("layer.applyField"));
  auto* dialog = child<QDialog>("applyFieldDialog");
  ASSERT_TRUE(dialog);
  EXPECT_EQ(dialog->findChild<QComboBox*>("appliedField")->currentText(), "displacement");
  auto* layer = dialog->findChild<QComboBox*>("appliedTo");
  EXPECT_EQ(layer->currentText(), "map") << "the current one";
  auto* like = dialog->findChild<QComboBox*>("appliedLike");
  like->setCurrentText("T1");
  keep("apply_field");
  Layer surface;
  surface.name = "surface";
  surface.content =
      MeshLayer{std::make_shared<const Mesh>(Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}})};
  add(std::move(surface));
  EXPECT_EQ(layer->currentText(), "map") << "what was chosen stays when layers come";
  EXPECT_EQ(like->currentText(), "T1");
  layer->setCurrentText("surface");
  EXPECT_FALSE(like->isEnabled()) << "points have no grid";
  layer->setCurrentText("map");
  dialog->findChild<QComboBox*>("appliedInterpolation")->setCurrentIndex(2);
  auto* apply = dialog->findChild<QPushButton*>("applyField");
  Layer affine;
  affine.name = "affine";
  affine.content = transformTable({});
  add(std::move(affine));
  dialog->findChild<QComboBox*>("appliedThen")->setCurrentText("affine");
  dialog->findChild<QCheckBox*>("thenInverse")->setChecked(true);
  like->setCurrentIndex(0);
  EXPECT_FALSE(apply->isEnabled()) << "a linear transform has no grid";
  like->setCurrentText("T1");
  dialog->findChild<QLineEdit*>("appliedFill")->setText("air");
  EXPECT_FALSE(apply->isEnabled());
  dialog->findChild<QLineEdit*>("appliedFill")->setText("-1000");
  apply->click();
  ASSERT_TRUE(waitFor([&] { return named("warped map") != nullptr; }));
  EXPECT_EQ(asked, "field displacement, field affine, image map, like T1, nearest, inverse 2, fill -1000");
  EXPECT_TRUE(named("warped map")->unsaved);
}

}  // namespace
}  // namespace sulcus::ui::widgets
