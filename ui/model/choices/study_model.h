#pragma once

#include "core/bids/results/review.h"
#include "ui/jobs/file_jobs.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"

#include <QAbstractTableModel>
#include <QString>
#include <cmath>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

/// The participants of a study, worst first, for browsing. Going to another one replaces the files on the
/// stack by those of the same names: their display settings stay. Lives on the UI thread.
class StudyModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { participant, flag, comment, furthest, firstCell };
  /// For cells with numbers: the position between the minimum and the maximum of the column, 0 … 1; and
  /// whether the number is an outlier.
  enum Role { shareRole = Qt::UserRole, farRole };

  /// All must outlive this.
  StudyModel(const std::vector<Analysis>& analyses, LayerStack& layers, ViewState& view,
             jobs::FileJobs& files, QObject* parent = nullptr);

  /// Whether a dropped folder is a study with results rather than a folder of DICOM slices.
  static bool isStudy(const QString& folder);
  /// Reads the table of a study and shows its first participant.
  void open(const QString& folder);
  void close();
  bool isOpen() const { return !review_.folder.empty(); }
  /// The folder that was opened.
  QString folder() const { return folder_; }

  /// The current row; −1: none.
  int current() const { return current_; }
  /// Goes to a participant; opened files follow.
  void show(int row);
  bool canStep(int rows) const;
  void step(int rows) { show(wanted_ + rows); }
  /// The flag of the current participant.
  bool flagged() const;
  void setFlagged(bool on);
  /// The folder of a study without results; "" for any other.
  QString rawFolder() const { return QString::fromStdString(review_.raw.string()); }
  /// Whether such a study has scans for an analysis.
  bool hasScansFor(const std::string& analysis) const;
  /// For such a study, the scans of the current participant that are not on the stack.
  QStringList unopenedScans() const;
  /// Opens them; those of other participants follow when one goes there.
  void openScans() { files_.open(unopenedScans()); }
  /// Whether a column has any content.
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
  /// Another participant is shown, or more about this one is known.
  void shown();

 private:
  /// A file to be shown for every participant that has it.
  struct ReviewedFile {
    LayerState state;            ///< its display; id 0: it is not on the stack
    int position = 0;            ///< in the stack
    std::filesystem::path file;  ///< of the participant being opened
    LayerPtr layer;              ///< what was opened; null: it could not be opened
    Message problem;
  };

  void set(bids::Review review);
  /// Computes the relative positions and outliers of the numeric columns.
  void judgeColumns();
  QString columnTitle(const std::string& column) const;
  std::vector<ReviewedFile> wantedOf(const std::string& subject) const;
  /// Whether a layer was read from this file.
  bool isShown(const std::filesystem::path& file) const;
  void place(int row, std::vector<ReviewedFile> wanted);
  /// Shows what was opened of a file in the place of another participant's, or nothing.
  void place(ReviewedFile& wanted, const QString& name);
  /// The shape that the user has given to the view, or a frame around this layer if there was none.
  void placeView(const Layer* first);
  QString summaryOf(const bids::ReviewedSubject& subject, const QString& hidden,
                    const QString& problem) const;
  QVariant figureData(const QModelIndex& index, int role) const;
  /// Hides results and painted labels, which belong to the previous participant; returns whether there were
  /// any.
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
  struct ViewFrame {
    Vec3<double> crosshair, center;  ///< mm RAS+
    double extent;
  };
  std::optional<ViewFrame> look_;      ///< the view position when there last was something to show
  std::vector<ReviewedFile> missing_;  ///< of the participants shown so far
  int current_ = -1, wanted_ = -1;     ///< the current row, and the last one requested
  QString summary_;
};

}  // namespace sulcus::ui::model
