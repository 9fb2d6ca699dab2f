// Sessions in the window: save, open, undo, what is asked before something goes, what is offered after a
// crash.
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/export/movie_exporter.h"
#include "ui/widgets/panels/layer_properties.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/dialogs.h"
#include "ui/widgets/window/main_window.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <algorithm>
#include <array>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

constexpr std::array kLayoutNames{"grid",  "axial",   "coronal", "sagittal",
                                  "scene", "compare", "beside",  "lightbox"};  // as ViewLayout

QString sessionFilter() { return MainWindow::tr("Sulcus session (*.sulcus)"); }

}  // namespace

void MainWindow::addSessionCommands() {
  commands_.add({QStringLiteral("file.openSession"), tr("Open s&ession…"), {}, [this] { chooseSession(); }});
  commands_.add({QStringLiteral("file.saveSession"),
                 tr("Save sess&ion"),
                 QStringLiteral("Ctrl+S"),
                 [this] { saveSession({}); },
                 {},
                 [this] { return !layers_.empty() || !session_.file().isEmpty(); }});
  commands_.add({QStringLiteral("file.saveSessionAs"),
                 tr("Save session &as…"),
                 QStringLiteral("Ctrl+Shift+S"),
                 [this] { saveSessionAs({}); },
                 {},
                 [this] { return !layers_.empty(); }});
  commands_.add({QStringLiteral("edit.undo"),
                 tr("&Undo"),
                 QStringLiteral("Ctrl+Z"),
                 [this] { session_.undo(); },
                 {},
                 [this] { return session_.canUndo(); }});
  commands_.add({QStringLiteral("edit.redo"),
                 tr("&Redo"),
                 QStringLiteral("Ctrl+Shift+Z"),
                 [this] { session_.redo(); },
                 {},
                 [this] { return session_.canRedo(); }});
}

void MainWindow::connectSession() {
  workspace_.setLook([this] { return look(); });
  // Neither a drag nor a series that plays nor a movie is many steps.
  session_.setHeld([this] {
    return QApplication::mouseButtons() != Qt::NoButton || workspace_.player().isPlaying() || movies_->busy();
  });
  connect(&workspace_, &model::Workspace::looked, this, &MainWindow::setLook);
  connect(&session_, &model::Session::changed, this, &MainWindow::showSession);
  connect(&session_, &model::Session::opened, this, [this](const QString&, const QStringList& notes) {
    shownLarge_ = true;  // a session has a layout of its own
    for (const QString& note : notes) showError(this, tr("Open session"), note);
    joinScans();
  });
  connect(&session_, &model::Session::notOpened, this, &MainWindow::joinScans);
  connect(&session_, &model::Session::missing, this, &MainWindow::askForMissing);
  connect(&session_, &model::Session::saved, this, [this](const QString& file) { emit files_.saved(file); });
  connect(&workspace_.recentSessions(), &model::RecentFiles::changed, this, &MainWindow::fillRecentMenu);
  qApp->installEventFilter(this);
  new PlainToolTips(this);
  showSession();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  // In a field with a number Ctrl+Z takes back a change of the session, not a digit.
  if (event->type() == QEvent::ShortcutOverride && qobject_cast<QWidget*>(watched)) {
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const bool number =
        qobject_cast<QAbstractSpinBox*>(watched) ||
        (qobject_cast<QLineEdit*>(watched) && qobject_cast<QAbstractSpinBox*>(watched->parent()));
    if (number && (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo))) {
      event->ignore();
      return true;
    }
  }
  return QMainWindow::eventFilter(watched, event);
}

void MainWindow::showSession() {
  const QString file = session_.file();
  const bool modified = session_.modified();
  const QString name = file.isEmpty() ? tr("Unsaved session") : QFileInfo(file).fileName();
  setWindowTitle(file.isEmpty() && !modified ? QStringLiteral("Sulcus") : tr("%1[*] – Sulcus").arg(name));
  setWindowModified(modified);
  const auto say = [this](const char* command, const QString& text, const QString& what) {
    const auto found = actions_.find(QLatin1String(command));
    if (found != actions_.end())
      found->second->setText(what.isEmpty() ? text : QStringLiteral("%1 %2").arg(text, what));
  };
  say("edit.undo", tr("&Undo"), session_.undoText());
  say("edit.redo", tr("&Redo"), session_.redoText());
  refreshActions();
}

void MainWindow::saveSession(const std::function<void()>& then) {
  session_.file().isEmpty() ? saveSessionAs(then) : session_.save(session_.file(), then);
}

void MainWindow::saveSessionAs(const std::function<void()>& then) {
  const QString last = session_.file();
  const QString suggested =
      last.isEmpty() ? QDir(folder(QStringLiteral("sessionFolder"))).filePath(tr("session") + ".sulcus")
                     : last;
  askSaveName(this, tr("Save session"), suggested, sessionFilter(), [this, then](const QString& file) {
    rememberFolder(QStringLiteral("sessionFolder"), file);
    session_.save(file, then);
  });
}

void MainWindow::chooseSession() {
  auto* dialog = new QFileDialog(this, tr("Open session"), folder(QStringLiteral("sessionFolder")));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dressFileDialog(*dialog);
  dialog->setNameFilters({sessionFilter(), tr("All files (*)")});
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
    rememberFolder(QStringLiteral("sessionFolder"), file);
    openSession(file);
  });
  dialog->open();
}

void MainWindow::openSession(const QString& file, const QStringList& scans) {
  replaceAll(tr("Open %1").arg(QFileInfo(file).fileName()), [this, file, scans] {
    joining_ = scans;
    session_.open(file);
  });
}

void MainWindow::joinScans() { files_.open(std::exchange(joining_, {})); }

MainWindow::GivenFiles MainWindow::take(const QStringList& paths) {
  GivenFiles given;
  for (const QString& name : paths) {
    // What is recorded and copied, such as a command line, holds in other folders, too.
    const QString path = QFileInfo(name).absoluteFilePath();
    if (model::StudyModel::isStudy(path))
      workspace_.study().open(path);
    else
      (path.endsWith(QStringLiteral(".sulcus")) ? given.session : given.scans.emplaceBack()) = path;
  }
  if (!paths.isEmpty()) rememberFolder(QStringLiteral("folder"), paths.front());
  return given;
}

void MainWindow::openFiles(const QStringList& paths) {
  const auto [scans, session] = take(paths);
  session.isEmpty() ? files_.open(scans) : openSession(session, scans);
}

void MainWindow::askForMissing(const QString& file, const QStringList& files, bool recovering) {
  constexpr int kMostFilesNamed = 12;
  const auto again = [this, file, recovering](const QString& lookIn, bool rest) {
    recovering ? session_.recover(lookIn, rest) : session_.open(file, lookIn, rest);
  };
  QStringList named = files.mid(0, kMostFilesNamed);
  if (files.size() > kMostFilesNamed) named << tr("… and %1 more").arg(files.size() - kMostFilesNamed);
  askAmong(this, tr("Open session"),
           tr("These files were not found:\n\n%1").arg(named.join(QLatin1Char('\n'))),
           {{"locate", tr("Look in a folder…"),
             [this, again] {
               chooseFolder(
                   tr("Folder with the missing files"), QStringLiteral("folder"),
                   [again](const QString& folder) { again(folder, false); }, [this] { joinScans(); });
             }},
            {"rest", tr("Open the rest"), [again] { again({}, true); }}},
           [this] { joinScans(); });
}

void MainWindow::start(const QStringList& paths) {
  const QString when = session_.recoverable();
  if (when.isEmpty()) return openFiles(paths);
  askAmong(this, tr("Sulcus"), tr("Sulcus closed unexpectedly. Restore the work saved at %1?").arg(when),
           {{"recover", tr("Restore"),
             [this, paths] {
               joining_ = take(paths).scans;
               session_.recover();
             }},
            {"drop", tr("Discard"),
             [this, paths] {
               session_.dropRecoverable();
               start(paths);
             }}},
           [this, paths] { openFiles(paths); });
}

void MainWindow::replaceAll(const QString& title, const std::function<void()>& act) {
  QString loss = session_.loss();
  if (movies_->busy()) loss += QLatin1Char('\n') + tr("A movie is being made.");
  unlessLost(loss.trimmed(), title, [this, act] {
    movies_->cancel();  // it would go on with what comes
    act();
  });
}

void MainWindow::unlessLost(const QString& loss, const QString& title, const std::function<void()>& act) {
  if (loss.isEmpty()) return act();
  askAmong(
      this, title, tr("%1\n\nSave the session first?").arg(loss),
      {{"saveFirst", tr("Save session"), [this, act] { saveSession(act); }}, {"agree", tr("Discard"), act}});
}

model::WindowLook MainWindow::look() const {
  model::WindowLook look;
  look.layout = kLayoutNames[std::size_t(views_->layoutShown())];
  look.comparePlane = int(views_->comparePlane());
  look.compareIn3d = views_->compareIn3d();
  look.planesBesideSurfaces = views_->planesBesideSurfaces();
  look.lightbox = views_->lightboxLook();
  look.glyphs = views_->glyphStyle();
  look.fields = views_->fieldStyle();
  look.scene = views_->sceneStyle();
  look.detached = views_->detachedViews();
  look.unlinked = views_->unlinkedViews();
  look.panels = panelsLook();
  const SharedCamera* camera = SharedCamera::of(view_);
  if (camera->isSet()) look.camera = {camera->pose().position, camera->pose().focus, camera->pose().up};
  return look;
}

void MainWindow::setLook(const model::WindowLook& look) {
  if (look.panels) setPanelsLook(*look.panels);
  properties_->setStyles(look.glyphs, look.fields);
  views_->setPlanesBesideSurfaces(look.planesBesideSurfaces);
  views_->setSceneStyle(look.scene);
  views_->setComparePlane(model::Plane(look.comparePlane));
  views_->setCompareIn3d(look.compareIn3d);
  views_->setLightboxLook(look.lightbox);
  const auto layout = std::find(kLayoutNames.begin(), kLayoutNames.end(), look.layout);
  for (int view = 0; view < 4; ++view) views_->setDetached(view, false);
  for (const model::DetachedView& one : look.detached)
    views_->setDetached(one.view, true, {one.place[0], one.place[1], one.place[2], one.place[3]});
  views_->setUnlinkedViews(look.unlinked);
  if (layout != kLayoutNames.end()) views_->setLayoutShown(ViewLayout(layout - kLayoutNames.begin()));
  if (look.camera)
    SharedCamera::of(view_)->setPose({(*look.camera)[0], (*look.camera)[1], (*look.camera)[2]});
}

}  // namespace sulcus::ui::widgets
