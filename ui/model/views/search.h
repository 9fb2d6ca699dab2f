#pragma once

#include <QAbstractListModel>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

/// How well a text matches what was typed; none: not at all. Each typed word must be found, in any order: as
/// a word, at the beginning of one, inside one, or with letters omitted. Greater is better.
std::optional<int> matchScore(const QString& typed, const QString& text);

/// Whether a text contains each typed word, ignoring case and accents.
bool hasWords(const QString& typed, const QString& text);

/// Something that can be found and then done.
struct SearchEntry {
  QString text;           ///< "Reset views"
  QString kind;           ///< "View", "parameter of Fibers"; also searched, with lower rank
  QString shortcut = {};  ///< as displayed
  std::function<void()> act = {};
  bool enabled = true;
};

/// The entries that match what was typed, best first. Lives on the UI thread.
class SearchModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kindRole = Qt::UserRole, shortcutRole };
  using QAbstractListModel::QAbstractListModel;

  /// The searchable entries, in the order in which they are shown while nothing is typed.
  void setEntries(std::vector<SearchEntry> entries);
  void setTyped(const QString& typed);
  const SearchEntry& entry(int row) const { return entries_[shown_[std::size_t(row)]]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  std::vector<SearchEntry> entries_;
  std::vector<std::size_t> shown_;
};

}  // namespace sulcus::ui::model
