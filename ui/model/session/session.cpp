#include "ui/model/session/session.h"

#include "core/base/platform/memory/scratch_memory.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/text/localize.h"
#include "ui/model/workspace.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QScopedValueRollback>
#include <algorithm>
#include <ranges>
#include <utility>

namespace sulcus::ui::model {
namespace {

constexpr int kMillisecondsOfAStep = 400;  ///< changes in quicker succession are one step

std::filesystem::path filePath(const QString& text) { return std::filesystem::path(text.toStdString()); }

}  // namespace

Session::Session(Workspace& workspace, JobQueue& files, QSettings& settings)
    : workspace_(workspace), files_(files), recent_(settings, QStringLiteral("recentSessions")) {
  soon_.setSingleShot(true);
  soon_.setInterval(kMillisecondsOfAStep);
  connect(&soon_, &QTimer::timeout, this, [this] { held_&& held_() ? soon_.start() : note(); });
  connect(&autosaving_, &QTimer::timeout, this, &Session::autosave);
  history_.begin(workspace_.snapshots().take());
  savedStamp_ = autosavedStamp_ = history_.stamp();
  watch();
}

Session::~Session() {
  for (const auto& folder : abandoned_) folder->keep();  // for the next start
}

void Session::watch() {
  LayerStack& layers = workspace_.layers();
  connect(&layers, &LayerStack::added, this, &Session::changeSoon);
  connect(&layers, &LayerStack::removed, this, &Session::changeSoon);
  connect(&layers, &LayerStack::reordered, this, &Session::changeSoon);
  connect(&layers, &LayerStack::displayChanged, this, &Session::layerChanged);
  connect(&layers, &LayerStack::contentChanged, this, &Session::layerChanged);
  for (const auto& presenter : workspace_.presenters().all()) {
    connect(&presenter->inputs(), &InputChoice::changed, this, &Session::changeSoon);
    connect(&presenter->options(), &OptionChoice::changed, this, &Session::changeSoon);
  }
  connect(&workspace_.runs(), &RunController::runsChanged, this, &Session::changeSoon);
  connect(&workspace_.runs(), &RunController::adjusted, this, &Session::changeSoon);
  connect(&workspace_.runs().comparer(), &RunComparer::finished, this, &Session::changeSoon);
  // Undo restores layers that have been saved meanwhile as saved.
  connect(&workspace_.files(), &jobs::FileJobs::saved, this, &Session::note);
  ViewState& view = workspace_.view();
  connect(&view, &ViewState::crosshairChanged, this, &Session::viewMoved);
  connect(&view, &ViewState::turned, this, &Session::viewMoved);
  connect(&view, &ViewState::framingChanged, this, &Session::viewMoved);
  connect(&view, &ViewState::decorationChanged, this, &Session::viewMoved);
}

void Session::changeSoon() {
  if (restoring_) return;
  const bool first = !isWaiting();
  soon_.start();
  if (const bool now = modified(); first || now != toldModified_) {
    toldModified_ = now;
    emit changed();
  }
}

void Session::layerChanged(LayerId id) {
  // Previews of a running analysis change several times per second, and are not steps.
  const std::vector<LayerId> previews = workspace_.runs().previews();
  if (std::find(previews.begin(), previews.end(), id) == previews.end()) changeSoon();
}

void Session::note() {
  soon_.stop();
  history_.note(workspace_.snapshots().take());
  emit changed();
}

bool Session::modified() const {
  for (const LayerState& layer : workspace_.layers().layers())
    if (layer.unsaved) return true;
  return !file_.isEmpty() && (isWaiting() || history_.stamp() != savedStamp_);
}

QString Session::loss() const {
  std::vector<LayerId> all;
  for (const LayerState& layer : workspace_.layers().layers()) all.push_back(layer.id);
  QString lost = lossOf(all);
  if (!file_.isEmpty() && (isWaiting() || history_.stamp() != savedStamp_))
    lost.prepend(tr("Changes since %1 was saved.").arg(QFileInfo(file_).fileName()) +
                 (lost.isEmpty() ? QString() : QStringLiteral("\n")));
  return lost;
}

QString Session::lossOf(const std::vector<LayerId>& layers) const {
  constexpr int kMostNamed = 4;
  QStringList unsaved;
  for (const LayerState& state :
       workspace_.layers().layers() | std::views::reverse)  // in the order of the list
    if (state.unsaved && std::ranges::find(layers, state.id) != layers.end())
      unsaved << nameForEye(workspace_.layers(), state.name);
  QStringList lost;
  if (const int more = int(unsaved.size()) - kMostNamed; more > 0)
    unsaved = unsaved.mid(0, kMostNamed) << tr("%1 more").arg(more);
  if (!unsaved.isEmpty()) lost << tr("Not saved: %1.").arg(unsaved.join(QStringLiteral(", ")));
  if (const int runs = workspace_.runs().runsOn(layers); runs == 1)
    lost << tr("A run has not finished and will be canceled.");
  else if (runs > 1)
    lost << tr("%1 runs have not finished and will be canceled.").arg(runs);
  return lost.join(QLatin1Char('\n'));
}

bool Session::canBringBack(const std::vector<LayerId>& layers) {
  if (isWaiting()) note();  // the latest changes are a separate step
  std::vector<LayerPtr> contents;
  for (const LayerId id : layers)
    if (const LayerState* state = workspace_.layers().find(id)) contents.push_back(state->layer);
  return workspace_.runs().runsOn(layers) == 0 && history_.canKeep(contents);
}

void Session::save(const QString& name, const std::function<void()>& then) {
  const QString file = QFileInfo(name).absoluteFilePath();
  note();
  const SessionState state = workspace_.snapshots().take();
  const Stored stored = file == file_ ? stored_ : std::make_shared<jobs::StoredContents>();
  workspace_.files().work(
      tr("Save %1").arg(QFileInfo(file).fileName()),
      [state, path = filePath(file), stored](const Progress& progress) {
        jobs::writeSession(state, path, *stored, progress);
      },
      [this, file, then, stored, layers = state.layers, stamp = history_.stamp(), opened = opened_] {
        recent_.add(file);
        if (opened != opened_) {  // the saved session is no longer the open one
          emit saved(file);
          return;
        }
        file_ = file;
        stored_ = stored;
        savedStamp_ = autosavedStamp_ = stamp;
        for (const LayerState& layer : layers) workspace_.layers().setSaved(layer.id, layer.layer);
        note();
        if (folder_)  // it is in its file, and nothing newer
          files_.submit(
              [folder = folder_](const Progress&) { return std::filesystem::remove(folder->file()); },
              [](bool) {});
        emit saved(file);
        emit changed();
        if (then) then();
      });
}

void Session::open(const QString& file, const QString& lookIn, bool rest) {
  openFrom(QFileInfo(file).absoluteFilePath(), lookIn, rest, nullptr);
}

void Session::openFrom(const QString& file, const QString& lookIn, bool rest,
                       const std::shared_ptr<jobs::AutosaveFolder>& recovered) {
  auto opened = std::make_shared<jobs::OpenedSession>();
  workspace_.files().work(
      tr("Open %1").arg(QFileInfo(file).fileName()),
      [opened, path = filePath(file), where = filePath(lookIn), rest, &analyses = workspace_.analyses()](
          const Progress& progress) { *opened = jobs::openSession(path, analyses, where, rest, progress); },
      [this, file, rest, opened, recovered] {
        if (!opened->missing.empty() && !rest) {
          QStringList files;
          for (const std::string& one : opened->missing) files << QString::fromStdString(one);
          emit missing(file, files, recovered != nullptr);
          return;
        }
        QStringList notes;
        for (const std::string& one : opened->missing)
          notes << tr("%1 is missing: whatever depends on it is skipped.").arg(QString::fromStdString(one));
        for (const Note& one : opened->notes) notes << noteText(one);
        SessionState state = std::move(opened->state);
        renumber(state, workspace_.layers().nextId(), workspace_.runs().nextId());
        {
          const QScopedValueRollback<bool> restoring(restoring_, true);
          workspace_.snapshots().open(state);
        }
        ++opened_;
        soon_.stop();
        history_.begin(workspace_.snapshots().take());
        const auto stored = std::make_shared<jobs::StoredContents>(std::move(opened->stored));
        if (recovered) {
          file_ = QString::fromStdString(opened->autosaved.string());
          savedStamp_ = 0;  // a recovered session is in no file that the user knows
          stored_ = std::make_shared<jobs::StoredContents>();
          folder_ = recovered;
          autosaved_ = stored;
          std::erase(abandoned_, recovered);
        } else {
          file_ = file;
          savedStamp_ = history_.stamp();
          stored_ = stored;
          recent_.add(file);
        }
        autosavedStamp_ = history_.stamp();
        emit this->opened(file_, notes);
        emit changed();
      },
      [this] { emit notOpened(); });
}

void Session::close() {
  {
    const QScopedValueRollback<bool> restoring(restoring_, true);
    workspace_.layers().clear();
  }
  ++opened_;
  soon_.stop();
  file_.clear();
  stored_ = std::make_shared<jobs::StoredContents>();
  history_.begin(workspace_.snapshots().take());
  savedStamp_ = history_.stamp();
  emit changed();
}

void Session::giveMemoryBack() {
  files_.submit([](const Progress&) { return giveFreeMemoryBack(), true; }, [](bool) {});
}

void Session::restore(const SessionState& state) {
  const QScopedValueRollback<bool> restoring(restoring_, true);
  workspace_.snapshots().restore(state);
}

void Session::undo() {
  if (isWaiting()) note();
  if (history_.canUndo()) restore(history_.undo());
  emit changed();
}

void Session::redo() {
  if (isWaiting()) note();
  if (history_.canRedo()) restore(history_.redo());
  emit changed();
}

void Session::autosaveIn(const std::filesystem::path& parent) {
  parent_ = parent;
  autosaving_.start();
}

void Session::autosave() {
  if (parent_.empty() || writing_) return;
  if (isWaiting() && !(held_ && held_())) note();
  if (history_.stamp() == autosavedStamp_ && !unsavedView_) return;
  struct Written {
    std::shared_ptr<jobs::AutosaveFolder> folder;
  };
  const SessionState state = workspace_.snapshots().take();
  if (state.layers.empty() && !folder_) return;
  writing_ = true;
  unsavedView_ = false;
  autosavedStamp_ = history_.stamp();
  files_.submit(
      [state, folder = folder_, parent = parent_, stored = autosaved_,
       of = filePath(file_)](const Progress& progress) {
        Written written{folder ? folder : std::make_shared<jobs::AutosaveFolder>(parent)};
        jobs::writeSession(state, written.folder->file(), *stored, progress, of);
        return written;
      },
      [this](const Written& written) {
        folder_ = written.folder;
        toldFault_ = false;
      },
      [this](const JobReport& report) {
        if (report.state == JobState::queued || report.state == JobState::running) return;
        writing_ = false;
        if (report.state != JobState::failed) return;
        unsavedView_ = true;  // once more, later
        if (!std::exchange(toldFault_, true))
          emit workspace_.failed(tr("Save automatically"), localizeForWindow(report.error));
      });
}

QString Session::recoverable() {
  if (!parent_.empty() && !std::exchange(looked_, true))
    abandoned_ = jobs::AutosaveFolder::abandoned(parent_);
  if (abandoned_.empty()) return {};
  const QFileInfo file(QString::fromStdString(abandoned_.front()->file().string()));
  return QLocale::system().toString(file.lastModified(), QLocale::ShortFormat);
}

void Session::recover(const QString& lookIn, bool rest) {
  if (abandoned_.empty()) return;
  openFrom(QString::fromStdString(abandoned_.front()->file().string()), lookIn, rest, abandoned_.front());
}

void Session::dropRecoverable() {
  if (!abandoned_.empty()) abandoned_.erase(abandoned_.begin());
}

}  // namespace sulcus::ui::model
