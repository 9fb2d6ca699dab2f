#include "ui/widgets/export/movie_exporter.h"

#include "ui/jobs/picture_note.h"
#include "ui/jobs/qt_post.h"
#include "ui/model/layers/readout.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/export/view_picture.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_area.h"

#include <QFileInfo>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

constexpr const char* kIterations = "iterations";  // the option by which runs with stored steps are adjusted

constexpr int kManyIterations = 20;  // if their number is 0, which stands for automatic

int volumesOf(const model::LayerState& state) {
  const auto* volume = std::get_if<VolumeLayer>(&state.layer->content);
  return volume && !volume->colors ? volume->series->count : 0;
}

/// The run whose iterations can be shown; null if there is none.
model::RunPtr iterated(model::Workspace& workspace) {
  const model::RunPtr run = workspace.currentRun();
  if (!run || !run->result || !run->result->adjust) return nullptr;
  const bool can = std::ranges::any_of(run->analysis->options, [](const OptionInfo& option) {
    return option.name == kIterations && option.adjustable;
  });
  return can ? run : nullptr;
}

}  // namespace

MovieExporter::MovieExporter(model::Workspace& workspace, ViewArea& views, QObject* parent)
    : QObject(parent), workspace_(workspace), views_(views), writing_(jobs::qtPost(this)) {
  connect(&turn_, &QTimer::timeout, this, &MovieExporter::drawNext);
}

MovieExporter::~MovieExporter() = default;

const model::LayerState* MovieExporter::series() const {
  const model::LayerStack& layers = workspace_.layers();
  if (const auto* current = layers.find(layers.current()); current && volumesOf(*current) > 1) return current;
  const auto& all = layers.layers();
  const auto top = std::find_if(all.rbegin(), all.rend(), [](const model::LayerState& state) {
    return state.display.visible && volumesOf(state) > 1;
  });
  return top == all.rend() ? nullptr : &*top;
}

const model::LayerState* MovieExporter::image() const {
  const model::LayerStack& layers = workspace_.layers();
  if (const auto* current = layers.find(layers.current()); current && gridOf(*current->layer)) return current;
  const auto& all = layers.layers();
  const auto bottom =
      std::ranges::find_if(all, [](const auto& state) { return gridOf(*state.layer) != nullptr; });
  return bottom == all.end() ? nullptr : &*bottom;
}

QString MovieExporter::whyNot(model::MovieKind kind) const {
  const auto shows = [this](bool in3d) {
    return std::ranges::any_of(views_.shownViews(), [in3d](QWidget* view) {
      return in3d == (qobject_cast<View3d*>(view) != nullptr);
    });
  };
  if (busy()) return tr("A movie is being made.");
  switch (kind) {
    case model::MovieKind::turntable:
      return shows(true) && SharedCamera::of(workspace_.view())->isSet() ? QString()
                                                                         : tr("No 3D view is on screen.");
    case model::MovieKind::slices:
      if (views_.layoutShown() == ViewLayout::lightbox)
        return tr("The lightbox shows the slices side by side: choose another layout.");
      if (!shows(false)) return tr("No slice is on screen.");
      return image() ? QString() : tr("No image is open.");
    case model::MovieKind::volumes:
      return series() ? QString() : tr("No series is on screen.");
    case model::MovieKind::iterations:
      return iterated(workspace_) ? QString() : tr("There is no run with iterations: denoise a surface.");
  }
  return {};
}

int MovieExporter::mostFrames(model::MovieKind kind, model::Plane plane) const {
  switch (kind) {
    case model::MovieKind::slices:
      return image() ? model::slicesAcross(*image()->layer, workspace_.view().normalOf(plane)) : 0;
    case model::MovieKind::volumes:
      return series() ? volumesOf(*series()) : 0;
    case model::MovieKind::iterations:
      if (const model::RunPtr run = iterated(workspace_)) {
        const auto shown = int(std::get<std::int64_t>(run->options.at(kIterations)));
        return shown > 0 ? shown : kManyIterations;
      }
      return 0;
    default:
      return 0;
  }
}

MovieExporter::Steps MovieExporter::stepsOf(const model::MovieOptions& order) {
  model::ViewState& view = workspace_.view();
  switch (order.kind) {
    case model::MovieKind::turntable: {
      SharedCamera* camera = SharedCamera::of(view);
      const scene::CameraPose before = camera->pose();
      const auto cameras = model::turntable({before.position, before.focus, before.up}, order.frames);
      return {[camera, cameras](int frame) {
                const auto& [position, focus, up] = cameras[std::size_t(frame)];
                camera->setPose({position, focus, up});
              },
              {},
              [camera, before] { camera->setPose(before); }};
    }
    case model::MovieKind::slices: {
      const Vec3<double> before = view.crosshair();
      const auto places =
          model::sweep(*gridOf(*image()->layer), view.normalOf(order.plane), before, order.frames);
      return {[&view, places](int frame) { view.setCrosshair(places[std::size_t(frame)]); },
              {},
              [&view, before] { view.setCrosshair(before); }};
    }
    case model::MovieKind::volumes: {
      model::LayerStack& layers = workspace_.layers();
      const model::LayerId id = series()->id;
      const auto volumes = model::countUp(0, volumesOf(*series()) - 1, order.frames);
      return {[&layers, id, volumes](int frame) { layers.setVolume(id, volumes[std::size_t(frame)]); },
              {},
              [&layers, id, before = series()->volume] { layers.setVolume(id, before); }};
    }
    case model::MovieKind::iterations: {
      const model::RunPtr run = iterated(workspace_);
      const auto before = run->options.at(kIterations);
      const auto counts = model::countUp(1, mostFrames(order.kind, order.plane), order.frames);
      model::RunController& runs = workspace_.runs();
      const auto adjust = [&runs, run](const OptionValue& value) {
        runs.adjust(*run->analysis, {{kIterations, value}});
      };
      return {[adjust, counts](int frame) { adjust(std::int64_t(counts[std::size_t(frame)])); },
              [&runs, id = run->id] { return !runs.isAdjusting(id); }, [adjust, before] { adjust(before); }};
    }
  }
  return {};
}

void MovieExporter::make(const model::MovieOptions& order) {
  steps_ = stepsOf(order);
  next_ = 0;
  gone_ = false;
  scale_ = order.scale;
  frames_ = std::make_shared<jobs::MovieFrames>(order.frames);
  const QString name = tr("Movie %1").arg(QFileInfo(order.file).fileName());
  model::JobListModel& jobs = workspace_.jobs();
  const model::JobId job = job_ = jobs.add(name, {});
  struct Nothing {};
  jobs.setTicket(job,
                 writing_.submit(
                     [frames = frames_, rate = order.framesPerSecond,
                      file = std::filesystem::path(order.file.toStdString()),
                      note = jobs::pictureNote(workspace_.snapshots().take())](const Progress& progress) {
                       jobs::writeMovie(*frames, rate, file, note, progress);
                       return Nothing{};
                     },
                     [this, file = order.file](Nothing) { emit saved(file); },
                     [this, job, name](const JobReport& what) {
                       workspace_.jobs().report(job, what);
                       if (what.state == JobState::queued || what.state == JobState::running) return;
                       end();
                       if (what.state == JobState::failed)
                         emit failed(name, model::localizeForWindow(what.error));
                     }));
  turn_.start(0);
}

void MovieExporter::drawNext() {
  if (!frames_ || next_ == frames_->count() || frames_->closed()) return turn_.stop();
  turn_.setInterval(frames_->hasRoom() ? 0 : 10);
  if (!frames_->hasRoom()) return;
  if (!gone_) {
    gone_ = true;
    steps_.go(next_);
  }
  if (steps_.ready && !steps_.ready()) return;
  views_.finishDrawing();
  QImage picture = views_.screenshot(scale_);
  if (next_ == 0) size_ = picture.size();
  // Resizing the window meanwhile does not change the size of the movie.
  if (picture.size() != size_)
    picture = picture.scaled(size_, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  frames_->put([picture] { return pictureBytes(picture, "PNG"); });
  gone_ = false;
  ++next_;
}

void MovieExporter::end() {
  turn_.stop();
  frames_.reset();
  steps_.back();
  steps_ = {};
}

}  // namespace sulcus::ui::widgets
