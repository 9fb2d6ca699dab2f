#include "ui/model/views/typed_position.h"

#include <QRegularExpression>
#include <QStringList>
#include <array>
#include <cmath>

namespace sulcus::ui::model {
namespace {

/// The numbers in a text. A comma is a decimal point if something else separates the numbers.
std::optional<std::array<double, 3>> threeNumbers(QString text) {
  text.replace(QChar(0x2212), QLatin1Char('-'));
  static const QRegularExpression around(QStringLiteral("[\\[\\](){}]|\\b[xyz]\\s*[=:]"),
                                         QRegularExpression::CaseInsensitiveOption);
  text.replace(around, QStringLiteral(" "));
  const bool commaIsPoint =
      text.contains(QLatin1Char(';')) ||
      text.trimmed().split(QRegularExpression(QStringLiteral("(?<!,)\\s+"))).size() == 3;
  if (commaIsPoint && !text.contains(QRegularExpression(QStringLiteral(",\\s"))))
    text.replace(QLatin1Char(','), QLatin1Char('.'));
  const QStringList parts = text.split(QRegularExpression(QStringLiteral("[\\s,;]+")), Qt::SkipEmptyParts);
  if (parts.size() != 3) return std::nullopt;
  std::array<double, 3> numbers{};
  for (int i = 0; i < 3; ++i) {
    bool ok = false;
    numbers[std::size_t(i)] = parts[i].toDouble(&ok);
    if (!ok || !(std::abs(numbers[std::size_t(i)]) < 1e6)) return std::nullopt;
  }
  return numbers;
}

}  // namespace

std::optional<Vec3<double>> positionFrom(const QString& given) {
  QString text = given.trimmed();
  if (text.endsWith(QStringLiteral("mm"), Qt::CaseInsensitive)) text.chop(2);
  static const QRegularExpression letter(QStringLiteral("([LRAPSI])\\s*(?=[-0-9\\x{2212}])"),
                                         QRegularExpression::CaseInsensitiveOption);
  // The numbers at the letters, in the order in which they were typed.
  QString sides;
  for (auto all = letter.globalMatch(text); all.hasNext();) sides += all.next().captured(1).toUpper();
  if (!sides.isEmpty()) text.replace(letter, QStringLiteral(" "));
  const auto numbers = threeNumbers(text);
  if (!numbers || (!sides.isEmpty() && sides.size() != 3)) return std::nullopt;
  if (sides.isEmpty()) return Vec3<double>{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
  Vec3<double> place;
  int axes = 0;
  for (int i = 0; i < 3; ++i) {
    const int side = int(QStringLiteral("RLAPSI").indexOf(sides[i]));
    place[side / 2] = (side % 2 ? -1 : 1) * (*numbers)[std::size_t(i)];
    axes |= 1 << side / 2;
  }
  return axes == 7 ? std::optional(place) : std::nullopt;
}

std::optional<Vec3<int>> voxelFrom(const QString& text, const Grid& grid) {
  QString numbersText = text;
  numbersText.remove(QRegularExpression(QStringLiteral("^\\s*[A-Za-z]+")));  // "voxel"
  const auto numbers = threeNumbers(numbersText);
  if (!numbers) return std::nullopt;
  Vec3<int> voxel;
  for (int i = 0; i < 3; ++i) {
    const double number = (*numbers)[std::size_t(i)];
    if (number != std::floor(number)) return std::nullopt;
    voxel[i] = int(number);
  }
  return grid.contains(voxel.x, voxel.y, voxel.z) ? std::optional(voxel) : std::nullopt;
}

QString atlasOf(const Grid& grid) {
  if (grid.space == Space::mni) return QStringLiteral("MNI");
  return grid.space == Space::talairach ? QStringLiteral("Talairach") : QString();
}

}  // namespace sulcus::ui::model
