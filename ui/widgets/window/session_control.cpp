#include "ui/widgets/window/session_control.h"

#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/dialogs/dialogs.h"
#include "ui/widgets/export/movie_exporter.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

QString sessionFilter() { return SessionControl::tr("Sulcus session (*.sulcus)"); }

}  // namespace

SessionControl::SessionControl(WindowParts& window) : QObject(&window.widget), window_(window) {
  addCommands();
  // A drag, playing a series or a movie does not count as many steps.
  window_.session.setHeld([this] {
    return QApplication::mouseButtons() != Qt::NoButton || window_.workspace.player().isPlaying() ||
           window_.movies->busy() || window_.workspace.editing().dissection.isFollowing();
  });
  connect(&window_.session, &model::Session::changed, this, &SessionControl::show);
  connect(&window_.session, &model::Session::opened, this, [this](const QString&, const QStringList& notes) {
    for (const QString& note : notes) showError(&window_.widget, tr("Open session"), note);
    joinOthers();
  });
  connect(&window_.session, &model::Session::notOpened, this, &SessionControl::joinOthers);
  connect(&window_.session, &model::Session::missing, this, &SessionControl::askForMissing);
  connect(&window_.session, &model::Session::saved, this,
          [this](const QString& file) { emit window_.files.saved(file); });
  connect(&window_.workspace.session().recent(), &model::RecentFiles::changed, &window_.menus,
          &WindowMenus::fillRecent);
  qApp->installEventFilter(this);
  new PlainToolTips(&window_.widget);
  show();
}

void SessionControl::addCommands() {
  window_.commands.add("file.openSession", tr("Open s&ession…"), "", [this] { choose(); });
  window_.commands.add(
      "file.saveSession", tr("Save sess&ion"), "Ctrl+S", [this] { save({}); },
      [this] { return !window_.layers.empty() || !window_.session.file().isEmpty(); });
  window_.commands.add(
      "file.saveSessionAs", tr("Save session &as…"), "Ctrl+Shift+S", [this] { saveAs({}); },
      [this] { return !window_.layers.empty(); });
  window_.commands.add(
      "edit.undo", tr("&Undo"), "Ctrl+Z", [this] { window_.session.undo(); },
      [this] { return window_.session.canUndo(); });
  window_.commands.add(
      "edit.redo", tr("&Redo"), "Ctrl+Shift+Z", [this] { window_.session.redo(); },
      [this] { return window_.session.canRedo(); });
}

bool SessionControl::eventFilter(QObject* watched, QEvent* event) {
  // In a number field, Ctrl+Z undoes a change of the session, not of a digit.
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
  return QObject::eventFilter(watched, event);
}

void SessionControl::show() {
  const QString file = window_.session.file();
  const bool modified = window_.session.modified();
  const QString name = file.isEmpty() ? tr("Unsaved session") : QFileInfo(file).fileName();
  window_.widget.setWindowTitle(file.isEmpty() && !modified ? QStringLiteral("Sulcus")
                                                            : tr("%1[*] – Sulcus").arg(name));
  window_.widget.setWindowModified(modified);
  const auto say = [this](const char* command, const QString& text, const QString& what) {
    window_.menus.setText(command, what.isEmpty() ? text : QStringLiteral("%1 %2").arg(text, what));
  };
  say("edit.undo", tr("&Undo"), window_.session.undoText());
  say("edit.redo", tr("&Redo"), window_.session.redoText());
  window_.menus.refresh();
}

void SessionControl::save(const std::function<void()>& then) {
  window_.session.file().isEmpty() ? saveAs(then) : window_.session.save(window_.session.file(), then);
}

void SessionControl::saveAs(const std::function<void()>& then) {
  const QString last = window_.session.file();
  const QString suggested =
      last.isEmpty()
          ? QDir(window_.dialogs.folder(QStringLiteral("sessionFolder"))).filePath(tr("session") + ".sulcus")
          : last;
  askSaveName(&window_.widget, tr("Save session"), suggested, sessionFilter(),
              [this, then](const QString& file) {
                window_.dialogs.rememberFolder(QStringLiteral("sessionFolder"), file);
                window_.session.save(file, then);
              });
}

void SessionControl::choose() {
  window_.dialogs.chooseFile(
      tr("Open session"), {sessionFilter(), tr("All files (*)")}, [this](const QString& file) { open(file); },
      QStringLiteral("sessionFolder"));
}

void SessionControl::open(const QString& file, const QStringList& others) {
  replaceAll(tr("Open %1").arg(QFileInfo(file).fileName()), [this, file, others] {
    joining_ = others;
    window_.session.open(file);
  });
}

void SessionControl::openOthers(const QStringList& paths) {
  QStringList scans;
  for (const QString& path : paths)
    if (model::StudyModel::isStudy(path))
      window_.workspace.study().open(path);
    else
      scans << path;
  window_.files.open(scans);
}

void SessionControl::joinOthers() { openOthers(std::exchange(joining_, {})); }

SessionControl::GivenFiles SessionControl::take(const QStringList& paths) {
  GivenFiles given;
  for (const QString& name : paths) {
    // What is recorded and copied, such as a command line, must also be valid in other folders.
    const QString path = QFileInfo(name).absoluteFilePath();
    (path.endsWith(QStringLiteral(".sulcus")) ? given.session : given.scansAndStudies.emplaceBack()) = path;
  }
  if (!paths.isEmpty()) window_.dialogs.rememberFolder(QStringLiteral("folder"), paths.front());
  return given;
}

void SessionControl::openFiles(const QStringList& paths) {
  const auto [others, session] = take(paths);
  session.isEmpty() ? openOthers(others) : open(session, others);
}

void SessionControl::askForMissing(const QString& file, const QStringList& files, bool recovering) {
  constexpr int kMostFilesNamed = 12;
  const auto again = [this, file, recovering](const QString& lookIn, bool rest) {
    recovering ? window_.session.recover(lookIn, rest) : window_.session.open(file, lookIn, rest);
  };
  QStringList named = files.mid(0, kMostFilesNamed);
  if (files.size() > kMostFilesNamed) named << tr("… and %1 more").arg(files.size() - kMostFilesNamed);
  askAmong(&window_.widget, tr("Open session"),
           tr("These files were not found:\n\n%1").arg(named.join(QLatin1Char('\n'))),
           {{"locate", tr("Look in a folder…"),
             [this, again] {
               window_.dialogs.chooseFolder(
                   tr("Folder with the missing files"), QStringLiteral("folder"),
                   [again](const QString& folder) { again(folder, false); }, [this] { joinOthers(); });
             }},
            {"rest", tr("Open the rest"), [again] { again({}, true); }}},
           [this] { joinOthers(); });
}

void SessionControl::start(const QStringList& paths) {
  const QString when = window_.session.recoverable();
  if (when.isEmpty()) return openFiles(paths);
  askAmong(&window_.widget, tr("Sulcus"),
           tr("Sulcus closed unexpectedly. Restore the work saved at %1?").arg(when),
           {{"recover", tr("Restore"),
             [this, paths] {
               joining_ = take(paths).scansAndStudies;
               window_.session.recover();
             }},
            {"drop", tr("Discard"),
             [this, paths] {
               window_.session.dropRecoverable();
               start(paths);
             }}},
           [this, paths] { openFiles(paths); });
}

void SessionControl::replaceAll(const QString& title, const std::function<void()>& act) {
  QString loss = window_.session.loss();
  if (window_.movies->busy()) loss += QLatin1Char('\n') + tr("A movie is being made.");
  unlessLost(loss.trimmed(), title, [this, act] {
    window_.movies->cancel();  // it would continue with the new content
    act();
  });
}

void SessionControl::unlessLost(const QString& loss, const QString& title, const std::function<void()>& act) {
  if (loss.isEmpty()) return act();
  askAmong(&window_.widget, title, tr("%1\n\nSave the session first?").arg(loss),
           {{"saveFirst", tr("Save session"), [this, act] { save(act); }}, {"agree", tr("Discard"), act}});
}

}  // namespace sulcus::ui::widgets
