#pragma once

#include <QAbstractListModel>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

/// How well a text answers what was typed; nothing: not at all. Each word that was typed must be found, in
/// any order: as a word, at the beginning of one, inside one, or with letters left out. Greater is better.
std::optional<int> matchScore(const QString& typed, const QString& text);

/// Whether each word that was typed stands in a text, in any case, with accents or without.
bool hasWords(const QString& typed, const QString& text);

/// Something that can be found and then done.
struct SearchEntry {
  QString text;           ///< "Reset views"
  QString kind;           ///< "View", "parameter of Fibers"; found, too, and counts less
  QString shortcut = {};  ///< as it is shown
  std::function<void()> act = {};
  bool enabled = true;
};

/// The entries that answer what was typed, best first. Lives on the UI thread.
class SearchModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kindRole = Qt::UserRole, shortcutRole };
  using QAbstractListModel::QAbstractListModel;

  /// What can be found, in the order in which it is shown while nothing is typed.
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
