#include "ui/model/views/search.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <numeric>

namespace sulcus::ui::model {
namespace {

/// Lower case without accents, so that "muller" finds "Müller".
QString folded(const QString& text) {
  QString plain;
  for (const QChar letter : text.normalized(QString::NormalizationForm_KD).toCaseFolded())
    if (letter.category() != QChar::Mark_NonSpacing) plain += letter;
  return plain;
}

QStringList wordsOf(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[^\\p{L}\\p{N}_×+-]+"));
  return folded(text).split(between, Qt::SkipEmptyParts);
}

/// Whether the letters occur in the word in this order, beginning with its first.
bool isAbbreviation(const QString& letters, const QString& word) {
  if (letters.size() < 2 || word.front() != letters.front()) return false;
  qsizetype at = 0;
  for (const QChar letter : letters) {
    at = word.indexOf(letter, at);
    if (at < 0) return false;
    ++at;
  }
  return true;
}

int scoreOfWord(const QString& typed, const QString& word) {
  if (word == typed) return 100;
  if (word.startsWith(typed)) return 80;
  if (word.contains(typed)) return 40;
  return isAbbreviation(typed, word) ? 20 : 0;
}

}  // namespace

std::optional<int> matchScore(const QString& typed, const QString& text) {
  const QStringList words = wordsOf(text);
  int sum = 0;
  for (const QString& wanted : wordsOf(typed)) {
    int best = 0;
    for (qsizetype i = 0; i < words.size(); ++i)
      best = std::max(best, 2 * scoreOfWord(wanted, words[i]) + (i == 0 ? 1 : 0));
    if (best < 2) return {};
    sum += best;
  }
  return sum;
}

bool hasWords(const QString& typed, const QString& text) {
  const QString whole = folded(text);
  return std::ranges::all_of(folded(typed).split(QLatin1Char(' '), Qt::SkipEmptyParts),
                             [&](const QString& word) { return whole.contains(word); });
}

void SearchModel::setEntries(std::vector<SearchEntry> entries) {
  beginResetModel();
  entries_ = std::move(entries);
  shown_.resize(entries_.size());
  std::iota(shown_.begin(), shown_.end(), std::size_t(0));
  endResetModel();
}

void SearchModel::setTyped(const QString& typed) {
  struct Found {
    std::size_t entry;
    int score;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto whole = matchScore(typed, entries_[i].text + QLatin1Char(' ') + entries_[i].kind);
    if (!whole) continue;
    // Entries whose own text matches come before those that match by kind, and enabled ones before the rest.
    const int called = matchScore(typed, entries_[i].text).value_or(0);
    found.push_back({i, *whole + called + (entries_[i].enabled ? 1000 : 0)});
  }
  std::stable_sort(found.begin(), found.end(), [this, &typed](const Found& a, const Found& b) {
    if (a.score != b.score) return a.score > b.score;
    return !typed.isEmpty() && entries_[a.entry].text.size() < entries_[b.entry].text.size();
  });
  beginResetModel();
  shown_.clear();
  for (const Found& one : found) shown_.push_back(one.entry);
  endResetModel();
}

int SearchModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(shown_.size());
}

QVariant SearchModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const SearchEntry& one = entry(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return one.text;
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1, %2 %3").arg(one.text, one.kind, one.shortcut).trimmed();
    case kindRole:
      return one.kind;
    case shortcutRole:
      return one.shortcut;
    default:
      return {};
  }
}

Qt::ItemFlags SearchModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  return entry(index.row()).enabled ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::ItemIsSelectable;
}

}  // namespace sulcus::ui::model
