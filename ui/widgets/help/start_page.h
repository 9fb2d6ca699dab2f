#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/choices/examples.h"
#include "ui/model/session/recent_files.h"

#include <QWidget>

class QGridLayout;
class QPushButton;
class QVBoxLayout;

namespace sulcus::ui::widgets {

/// What the window shows before anything is open: a drop area for files, pictures of examples, the phantoms,
/// recent files.
class StartPage : public QWidget {
  Q_OBJECT
 public:
  StartPage(const std::vector<Analysis>& analyses, model::RecentFiles& recent, model::RecentFiles& sessions,
            QWidget* parent = nullptr);

  /// Shows their pictures.
  void setExamples(const std::vector<model::Example>& examples);
  /// Whether files are dragged over the window: then the drop area says so.
  void setDragged(bool dragged);
  /// The pictures give up their height before the page has to scroll.
  QSize minimumSizeHint() const override;
  int heightForWidth(int width) const override;

 signals:
  void openRequested();
  void openFolderRequested();
  void openStudyRequested();
  void recentRequested(const QString& path);
  void demoRequested(const QString& analysis);
  void exampleRequested(const QString& name);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeDropTarget();
  QWidget* makeHead();
  QWidget* makeDemos(const std::vector<Analysis>& analyses);
  /// A button of two lines.
  QPushButton* makeCard(const QString& title, QLabel* below);
  void placePictures();
  void showRecent();
  void addRecent(const QString& title, const QStringList& paths);

  model::RecentFiles &recent_, &sessions_;
  QVBoxLayout* recentColumn_ = nullptr;
  QGridLayout* pictures_ = nullptr;
  std::vector<QWidget*> cards_;  ///< the examples
  QWidget* dropTarget_ = nullptr;
};

}  // namespace sulcus::ui::widgets
