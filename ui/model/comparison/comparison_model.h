#pragma once

#include "ui/model/runs/run.h"

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <vector>

namespace sulcus::ui::model {

/// A comparison as rows of text: times, throughput, differences, errors against the truth. Also Markdown and
/// CSV.
class ComparisonModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { quantity, first, second, difference, verdict, columns };
  enum Role { sectionRole = Qt::UserRole };  ///< true for rows that are only headings

  using QAbstractTableModel::QAbstractTableModel;

  void setComparison(ComparedPtr comparison);
  const ComparedPtr& comparison() const { return comparison_; }
  /// The short titles of the two in the header, where there is little room; the tool tip has the full ones.
  void setShownTitles(const QString& first, const QString& second);

  /// One sentence: whether they agree, and which is faster by how much; empty without a comparison.
  QString summary() const;
  QString markdown() const;
  QString csv() const;
  /// Scanner position of worst voxel `index`, mm; the center of the difference if there is none.
  Vec3<double> worstPosition(int index) const;
  /// "2.31° at voxel 12, 40, 7"
  QStringList worstTexts() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString cells[columns];
    bool heading = false;
  };
  QString wholeTitle(int column) const;
  void addTimes();
  void addThroughput(const RunResult& a, const RunResult& b);
  void addAgreement();
  void addTruth();

  ComparedPtr comparison_;
  QString shownTitles_[2];
  std::vector<Row> rows_;
};

/// "0.1°", "3 voxels": no space before a degree sign.
QString withUnit(const QString& number, const std::string& unit);
/// With this many significant digits, or all before the point, in groups: "12 300", "−0.00123".
QString formatNumber(double value, int digits = 3);

}  // namespace sulcus::ui::model
