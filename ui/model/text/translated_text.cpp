#include "ui/model/text/translated_text.h"

#include "texts.h"  // made by resources/translations/extract.py

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace sulcus::ui::model {
namespace {

/// Of a text with places, such as "%1 of %2": it may be found in any other one.
constexpr qsizetype kFewLetters = 5;

const QRegularExpression& placeMark() {
  static const QRegularExpression mark(QStringLiteral("%([1-9])"));
  return mark;
}

/// A text with places: what stands around them, from the beginning to the end.
struct Pattern {
  const char* text;
  QStringList around;
  qsizetype letters = 0;  ///< in `around`
};

/// Whether `a` says more than `b` of a text that both fit: one that begins with words holds one that does
/// not.
bool saysMore(const Pattern& a, const Pattern& b) {
  return std::pair(!a.around.front().isEmpty(), a.letters) >
         std::pair(!b.around.front().isEmpty(), b.letters);
}

struct Catalogue {
  QHash<QString, Pattern> whole;  ///< texts without places
  std::vector<Pattern> patterns;  ///< those that say most first
};

/// A text of the catalogue and what stands in its places.
struct Match {
  const Pattern* pattern;
  QStringList places;
};

const Catalogue& catalogue() {
  static const Catalogue made = [] {
    Catalogue all;
    for (const char* text : kTexts) {
      Pattern pattern{text, QString::fromUtf8(text).split(placeMark())};
      for (const QString& part : pattern.around)
        pattern.letters += std::ranges::count_if(part, [](QChar c) { return c.isLetter(); });
      if (pattern.around.size() == 1)
        all.whole.insert(pattern.around.front(), pattern);
      else
        all.patterns.push_back(std::move(pattern));
    }
    std::ranges::stable_sort(all.patterns, saysMore);
    return all;
  }();
  return made;
}

/// None where `said` is not this text with something in its places.
std::optional<Match> filled(const Pattern& pattern, QStringView said) {
  const QString &first = pattern.around.front(), &last = pattern.around.back();
  if (said.size() < first.size() + last.size() || !said.startsWith(first) || !said.endsWith(last)) return {};
  QStringList places;
  said = said.sliced(first.size()).chopped(last.size());
  for (qsizetype i = 1; i + 1 < pattern.around.size(); ++i) {
    const qsizetype at = said.indexOf(pattern.around[i]);
    if (at < 0) return {};
    places << said.first(at).toString();
    said = said.sliced(at + pattern.around[i].size());
  }
  places << said.toString();
  return Match{&pattern, places};
}

/// The translation, in which the places stand in any order.
QString translation(const Match& match) {
  const QString pattern = QCoreApplication::translate("texts", match.pattern->text);
  QString said;
  qsizetype end = 0;
  for (auto marks = placeMark().globalMatch(pattern); marks.hasNext();) {
    const QRegularExpressionMatch mark = marks.next();
    const qsizetype place = mark.capturedView(1).toInt() - 1;
    said += QStringView(pattern).sliced(end, mark.capturedStart() - end);
    if (place < match.places.size()) said += translatedText(match.places[place]);
    end = mark.capturedEnd();
  }
  said += QStringView(pattern).sliced(end);
  return said;
}

/// The text that says most of `said`, as it is or with what stands in its places.
std::optional<Match> bestMatch(const QString& said) {
  if (const auto whole = catalogue().whole.constFind(said); whole != catalogue().whole.cend())
    return Match{&*whole, {}};
  for (const Pattern& pattern : catalogue().patterns) {
    if (pattern.letters < kFewLetters) continue;
    if (auto match = filled(pattern, said)) return match;
  }
  return {};
}

/// The translation of such a text, also where a sentence was made of it; none where there is none.
std::optional<QString> known(const QString& said) {
  const auto match = bestMatch(said);
  const auto sentence = said.endsWith(QLatin1Char('.')) ? bestMatch(said.chopped(1)) : std::nullopt;
  if (sentence && (!match || saysMore(*sentence->pattern, *match->pattern)))
    return translation(*sentence) + QLatin1Char('.');
  return match ? std::optional(translation(*match)) : std::nullopt;
}

}  // namespace

QString translatedText(const QString& said) {
  static const QRegularExpression kWord(QStringLiteral("[A-Za-z]{2}"));
  static const QRegularExpression kQuoted(QStringLiteral("^'[^']*'$"));
  if (!said.contains(kWord) || said.contains(kQuoted)) return said;
  if (const auto whole = known(said)) return *whole;
  // Within a line, such as a list of stages, one begins with a small letter.
  const QString capital = said.front().toUpper() + said.sliced(1);
  if (const auto begun = known(capital); begun && *begun != capital) return *begun;
  // Sentences, the parts of an error, items of a list, a stage and its time: each is a text of its own.
  static const QRegularExpression kParts(
      QStringLiteral("(?<=[.]) (?=[A-Z])|[)]: | [(]|: |; |, |\\n| (?=[0-9.e-]+ s$)"));
  if (const QRegularExpressionMatch between = kParts.match(said); between.hasMatch())
    return translatedText(said.first(between.capturedStart())) + between.captured() +
           translatedText(said.sliced(between.capturedEnd()));
  for (auto pattern = catalogue().patterns.rbegin(); pattern != catalogue().patterns.rend(); ++pattern) {
    if (pattern->letters >= kFewLetters) continue;
    if (const auto match = filled(*pattern, said)) return translation(*match);
  }
  return said;
}

}  // namespace sulcus::ui::model
