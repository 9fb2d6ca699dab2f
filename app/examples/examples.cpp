#include "app/examples/examples.h"

#include "core/base/error.h"
#include "core/base/platform/files/memory_file.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/layer.h"
#include "core/io/files.h"
#include "ui/model/choices/analysis_presenter.h"

#include <QFile>
#include <algorithm>

namespace sulcus::app::examples {
namespace {

using ui::model::Example;

/// One image of resources/brain.
Layer shipped(const char* name, std::string title, const Progress& progress) {
  QFile packed(QStringLiteral(":/sulcus/brain/%1.nii.gz").arg(QLatin1String(name)));
  packed.open(QIODevice::ReadOnly);
  const QByteArray bytes = packed.readAll();
  const MemoryFile file(name, std::string_view(bytes.constData(), std::size_t(bytes.size())));
  Layer layer = io::openVolume(file.path(), progress);
  layer.name = std::move(title);
  layer.source.clear(), layer.stamp = {};
  layer.notes = {"The average of 152 brains, ICBM 2009a (MNI space)."};
  return layer;
}

const Series<float>& imageOf(const Layer& layer) { return *std::get<VolumeLayer>(layer.content).series; }

/// A part of an image, `from` … `to` (exclusive) in its voxels, averaged over blocks of step × step × step.
Series<float> coarser(const Series<float>& image, Vec3<int> from, Vec3<int> to, int step) {
  Grid grid = image.grid;
  for (int i = 0; i < 3; ++i) {
    grid.size[i] = (to[i] - from[i]) / step;
    for (int row = 0; row < 3; ++row) grid.worldFromVoxel.m[row][i] *= step;
  }
  const double half = 0.5 * (step - 1);
  grid.worldFromVoxel.t = image.grid.worldFromVoxel.point({from.x + half, from.y + half, from.z + half});
  Series<float> result(grid, 1);
  const VolumeView<const float> fine = image.volume(0);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    double sum = 0;
    for (int z = 0; z < step; ++z)
      for (int y = 0; y < step; ++y)
        for (int x = 0; x < step; ++x)
          sum += double(fine(from.x + step * v.x + x, from.y + step * v.y + y, from.z + step * v.z + z));
    result.at(i, 0) = float(sum / (step * step * step));
  }
  return result;
}

Layer imageLayer(std::string name, Series<float> image) {
  Layer layer;
  layer.name = std::move(name);
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(image)), {}, 0, {}};
  return layer;
}

void give(AnalysisInputs& inputs, const std::string& slot, Layer layer) {
  inputs.insert({slot, std::make_shared<const Layer>(std::move(layer))});
}

/// Probabilities of CSF, GM and WM in a part of the brain, 0…1, as inputs of a phantom. Whatever in the brain
/// is neither gray nor white matter is fluid.
AnalysisInputs tissue(Vec3<int> from, Vec3<int> to, int step, const Progress& progress) {
  const Layer gray = shipped("gm", "gm", progress.part(0, 0.4, "")),
              white = shipped("wm", "wm", progress.part(0.4, 0.7, "")),
              brain = shipped("t1", "t1", progress.part(0.7, 1, ""));
  const Vec3<int> size = imageOf(gray).grid.size;
  for (int i = 0; i < 3; ++i) to[i] = std::min(to[i], size[i]);
  Series<float> gm = coarser(imageOf(gray), from, to, step), wm = coarser(imageOf(white), from, to, step);
  // The T1 image has voxels half as large.
  const Series<float> t1 =
      coarser(imageOf(brain), {2 * from.x, 2 * from.y, 2 * from.z}, {2 * to.x, 2 * to.y, 2 * to.z}, 2 * step);
  Series<float> csf(gm.grid, 1);
  for (std::size_t i = 0; i < csf.values.size(); ++i) {
    gm.values[i] /= 100;
    wm.values[i] /= 100;
    csf.values[i] = t1.values[i] > 4 ? std::max(0.0f, 1 - gm.values[i] - wm.values[i]) : 0.0f;
  }
  AnalysisInputs inputs;
  give(inputs, "tissue", imageLayer("csf", std::move(csf)));
  give(inputs, "tissue", imageLayer("gm", std::move(gm)));
  give(inputs, "tissue", imageLayer("wm", std::move(wm)));
  return inputs;
}

const Analysis& named(const std::vector<Analysis>& analyses, const std::string& name) {
  return *std::ranges::find(analyses, name, &Analysis::name);
}

/// The phantom of an analysis based on these layers, with some options of its own.
AnalysisInputs phantom(const Analysis& analysis, const AnalysisInputs& given, const OptionValues& values) {
  OptionValues all = ui::model::defaultsOf(analysis.demoOptions);
  for (const auto& [name, value] : values) all[name] = value;
  return analysis.phantomOf(given, all);
}

Layer anatomy(const Progress& progress) {
  Layer brain = shipped("t1", "T1, average of 152 brains", progress);
  brain.display.range = Range{0, 60};
  return brain;
}

Example head() {
  Example example{.name = "head",
                  .title = "A brain, cut open",
                  .summary = "Drag to turn it, click in a slice to cut elsewhere"};
  example.layout = "view.beside";
  example.load = [](const Progress& progress) {
    Layer brain = anatomy(progress);
    brain.display.rendered = true;
    AnalysisInputs inputs;
    give(inputs, ui::model::kOnlyShown, std::move(brain));
    return inputs;
  };
  return example;
}

Example fibers(const Analysis& analysis) {
  Example example{.name = "fibers",
                  .title = "Fibers that cross",
                  .summary = "Directions found in a simulated diffusion scan of this brain",
                  .analysis = "fibers"};
  example.layout = "view.coronal";
  example.place = Vec3<double>{0, -20, 20};
  example.load = [&analysis](const Progress& progress) {
    return phantom(analysis, tissue({0, 44, 0}, {1000, 46, 1000}, 1, progress), {{"snr", 40.0}});
  };
  return example;
}

Example activation(const Analysis& analysis) {
  Example example{.name = "activation",
                  .title = "Activation",
                  .summary = "Where pictures and sounds arrive: a simulated functional scan of this brain",
                  .analysis = "activation"};
  example.place = Vec3<double>{10, -84, 4};
  example.options = {{"fdr", 0.05}};
  example.load = [&analysis](const Progress& progress) {
    AnalysisInputs inputs =
        phantom(analysis, tissue({0, 0, 28}, {1000, 1000, 48}, 2, progress.part(0, 0.6, "")), {});
    // The maps add up to 1 here, and cannot be covariates along with a constant.
    inputs.erase("tissue");
    std::erase_if(inputs,
                  [](const auto& input) { return input.first == "truth" && !isImage(*input.second); });
    give(inputs, ui::model::kOnlyShown, anatomy(progress.part(0.6, 1, "")));
    return inputs;
  };
  return example;
}

Example registration(const Analysis& analysis) {
  Example example{.name = "registration",
                  .title = "A warp",
                  .summary = "One brain flows onto another; the grid shows how",
                  .analysis = "registration"};
  example.shown = {"warped", "displacement"};
  example.load = [&analysis](const Progress& progress) {
    const Layer t1 = shipped("t1", "t1", progress);
    const Vec3<int> size = imageOf(t1).grid.size;
    AnalysisInputs given;
    give(given, "image", imageLayer("brain", coarser(imageOf(t1), {0, 0, 0}, size, 2)));
    return phantom(analysis, given, {{"noise", 1.0}});
  };
  return example;
}

Example tracts(const Analysis& fibers) {
  Example example{.name = "tracts",
                  .title = "Tracts",
                  .summary = "Lines along the fiber directions of a simulated scan of this brain",
                  .analysis = "tracts"};
  example.layout = "view.beside";
  example.options = {{"seeds", std::int64_t(12000)}, {"min-length", 60.0}};
  example.load = [&fibers](const Progress& progress) {
    const AnalysisInputs scan =
        phantom(fibers, tissue({0, 0, 0}, {1000, 1000, 1000}, 2, progress.part(0, 0.5, "")), {{"snr", 0.0}});
    Layer directions = *scan.find("truth")->second;
    directions.name = "fiber directions";
    AnalysisInputs inputs;
    give(inputs, "peaks", std::move(directions));
    give(inputs, ui::model::kOnlyShown, anatomy(progress.part(0.9, 1, "")));
    return inputs;
  };
  return example;
}

Example surface() {
  Example example{
      .name = "surface", .title = "White matter", .summary = "Its surface, denoised", .analysis = "surface"};
  example.layout = "view.beside";
  // Nearby patches only, for a second of computing.
  example.options = {{"threshold", 50.0},
                     {"iterations", std::int64_t(4)},
                     {"window", std::int64_t(3)},
                     {"neighbours", std::int64_t(16)},
                     {"patch", std::int64_t(3)}};
  example.load = [](const Progress& progress) {
    AnalysisInputs inputs;
    give(inputs, "image", shipped("wm", "white matter", progress));
    return inputs;
  };
  return example;
}

}  // namespace

std::vector<Example> all(const std::vector<Analysis>& analyses) {
  return {head(),
          fibers(named(analyses, "fibers")),
          activation(named(analyses, "activation")),
          registration(named(analyses, "registration")),
          surface(),
          tracts(named(analyses, "fibers"))};
}

}  // namespace sulcus::app::examples
