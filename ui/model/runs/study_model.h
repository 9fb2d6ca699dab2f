#pragma once

#include "core/bids/review.h"
#include "ui/jobs/file_jobs.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"

#include <QAbstractTableModel>
#include <QString>
#include <cmath>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

/// The participants of a study, worst first, with what was found looking through them. Going to another one
/// replaces the files on the stack by those with the same names: their display stays.
/// Lives on the UI thread.
class StudyModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { participant, flag, comment, furthest, firstCell };
  /// Of cells with numbers: where one lies between the smallest and the largest of its column, 0 … 1; and
  /// whether it lies far from those of the others.
  enum Role { shareRole = Qt::UserRole, farRole };

  /// All must outlive this.
  StudyModel(const std::vector<Analysis>& analyses, LayerStack& layers, ViewState& view,
             jobs::FileJobs& files, QObject* parent = nullptr);

  /// Whether a folder that was dropped is a study with results, rather than one of DICOM slices.
  static bool isStudy(const QString& folder);
  /// Reads the table of a study and goes to its first participant.
  void open(const QString& folder);
  void close();
  bool isOpen() const { return !review_.folder.empty(); }
  /// The folder that was opened.
  QString folder() const { return folder_; }

  /// The row that is shown; −1: none.
  int current() const { return current_; }
  /// Goes to a participant; opened files follow.
  void show(int row);
  bool canStep(int rows) const;
  void step(int rows) { show(wanted_ + rows); }
  /// The flag of the participant that is shown.
  bool flagged() const;
  void setFlagged(bool on);
  /// The folder of a study of which nothing was computed yet; "" of another.
  QString rawFolder() const { return QString::fromStdString(review_.raw.string()); }
  /// Whether such a study has scans for an analysis.
  bool hasScansFor(const std::string& analysis) const;
  /// Scans of the participant that is shown which are not on the stack, of such a study.
  QStringList unopenedScans() const;
  /// Opens them; those of other participants follow when one goes there.
  void openScans() { files_.open(unopenedScans()); }
  /// Whether something stands in a column.
  bool isFilled(int column) const;
  /// A sentence on which participant is shown and what is missing.
  QString summary() const { return summary_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  void opened();
  void closed();
  /// Another participant is shown, or more of this one is known.
  void shown();

 private:
  /// A file that is to be seen of every participant that has it.
  struct Wanted {
    LayerState state;            ///< its display; id 0: it is not on the stack
    int position = 0;            ///< there
    std::filesystem::path file;  ///< of the participant that is gone to
    LayerPtr layer;              ///< what was opened; null: it could not be
    std::string problem;
  };

  void set(bids::Review review);
  /// Shares and distances of the numbers in the columns of the table.
  void judgeColumns();
  QString columnTitle(const std::string& column) const;
  std::vector<Wanted> wantedOf(const std::string& subject) const;
  void place(int row, std::vector<Wanted> wanted);
  /// Hides results and painted labels, which are of the participant before; whether there were any.
  bool hideWhatHasNoFile();
  void save(int row);

  const std::vector<Analysis>& analyses_;
  LayerStack& layers_;
  ViewState& view_;
  jobs::FileJobs& files_;
  bids::Review review_;
  QString folder_;
  struct Figure {
    double share = NAN;
    bool far = false;
  };
  std::vector<std::vector<Figure>> figures_;  ///< [column of the table][row]
  struct Look {
    Vec3<double> crosshair, center;  ///< mm RAS+
    double extent;
  };
  std::optional<Look> look_;        ///< where the views looked when there was something to see
  std::vector<Wanted> missing_;     ///< of participants that were shown
  int current_ = -1, wanted_ = -1;  ///< shown, and gone to last
  QString summary_;
};

}  // namespace sulcus::ui::model
