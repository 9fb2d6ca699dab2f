#include "ui/model/choices/remote_hosts.h"

namespace sulcus::ui::model {

QStringList remoteHostsIn(const std::string& text) {
  QStringList places;
  for (const QString& part : QString::fromStdString(text).split(QLatin1Char(',')))
    if (const QString place = part.trimmed(); !place.isEmpty() && !places.contains(place)) places << place;
  return places;
}

std::string remoteHostsText(const QStringList& places) {
  return places.join(QStringLiteral(", ")).toStdString();
}

QString remoteHostTitle(const QString& place) {
  const QStringList parts = place.section(QLatin1Char(':'), 1).split(QLatin1Char('/'));
  QStringList what;
  if (place.startsWith(QLatin1String("slurm:")))
    what << QStringLiteral("Slurm") + (parts.size() > 2 ? QLatin1Char(' ') + parts[2] : QString());
  if (parts.size() > 1 && parts[1] == QLatin1String("cpu")) what << QStringLiteral("CPU");
  return what.isEmpty() ? parts[0] : QStringLiteral("%1 (%2)").arg(parts[0], what.join(QStringLiteral(", ")));
}

}  // namespace sulcus::ui::model
