#include "ui/model/session/file_names.h"

#include "ui/model/text/localize.h"

#include <QObject>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <utility>
#include <vector>

namespace sulcus::ui::model {
namespace {

/// ".nii.gz" and ".nii" of "NIfTI (*.nii.gz *.nii)".
QStringList endingsOf(const QString& filters) {
  static const QRegularExpression kEnding(QStringLiteral(R"(\*(\.[A-Za-z0-9.]+))"));
  QStringList endings;
  for (auto all = kEnding.globalMatch(filters); all.hasNext();) endings << all.next().captured(1);
  return endings;
}

}  // namespace

QString fileStem(const QString& name) {
  QString stem;
  for (const QChar c : name) {
    if (c.isLetterOrNumber() || c == QLatin1Char('-'))
      stem += c;
    else if (!stem.endsWith(QLatin1Char('_')) && !stem.isEmpty())
      stem += QLatin1Char('_');
  }
  while (stem.endsWith(QLatin1Char('_'))) stem.chop(1);
  return stem.isEmpty() ? QStringLiteral("layer") : stem;
}

QString saveName(const Layer& layer, const QString& name) {
  const bool given = name == layerTitle(layer.name);  // not renamed by the user
  return fileStem(given ? QString::fromStdString(layer.name) : name) +
         QString::fromStdString(usualExtension(layer));
}

QString saveFilters(const Layer& layer) {
  if (std::holds_alternative<MeshLayer>(layer.content))
    return QObject::tr("VTK (*.vtp);;PLY (*.ply);;STL (*.stl);;OBJ (*.obj);;GIFTI (*.gii)");
  if (std::holds_alternative<TractsLayer>(layer.content))
    return QObject::tr("TRX (*.trx);;MRtrix (*.tck);;TrackVis (*.trk);;VTK (*.vtp);;VTK, legacy (*.vtk)");
  if (gridOf(layer)) return QObject::tr("NIfTI (*.nii.gz *.nii);;NRRD (*.nrrd);;MetaImage (*.mha)");
  return QObject::tr("Table (*.tsv *.csv)");
}

QString withEnding(const QString& name, const QString& filters, const QString& chosen) {
  const QStringList all = endingsOf(filters), wanted = endingsOf(chosen);
  const bool has =
      std::any_of(all.begin(), all.end(), [&](const QString& ending) { return name.endsWith(ending); });
  return has || wanted.isEmpty() ? name : name + wanted.front();
}

namespace {

const QString kLeftOut = QStringLiteral("…");

/// Joins the parts of a name; parts that are left out leave one sign.
QString joined(const QStringList& parts) {
  QString shown;
  for (const QString& part : parts) {
    const bool joins = shown.isEmpty() || shown.endsWith(kLeftOut);
    if (part != kLeftOut)
      shown += (joins ? QString() : QStringLiteral("_")) + part;
    else if (!shown.endsWith(kLeftOut))
      shown += kLeftOut;
  }
  return shown;
}

/// A name without what it shares with the most similar other name, as far as necessary to fit; unchanged if
/// that is not enough.
QString elidedInCommon(const QString& name, const QStringList& all,
                       const std::function<bool(const QString&)>& fits) {
  qsizetype head = 0, tail = 0;  // how much is shared at either end
  for (const QString& other : all) {
    if (other == name) continue;
    const auto [ends, begins] = std::mismatch(name.begin(), name.end(), other.begin(), other.end());
    const qsizetype first = ends - name.begin(), room = std::min(name.size(), other.size()) - first;
    qsizetype last = 0;
    while (last < room && name[name.size() - 1 - last] == other[other.size() - 1 - last]) ++last;
    if (first + last <= head + tail) continue;
    head = first;
    tail = last;
  }
  const QString middle = name.mid(head, name.size() - head - tail);
  const auto cut = [&](qsizetype left, qsizetype right) {
    QString text = name.left(left);
    if (left < head) text += kLeftOut;
    text += middle;
    if (right < tail) text += kLeftOut;
    text += name.right(right);
    return text.replace(kLeftOut + kLeftOut, kLeftOut);
  };
  qsizetype left = head, right = tail;
  while ((left > 0 || right > 0) && !fits(cut(left, right))) --(left >= right ? left : right);
  return fits(cut(left, right)) ? cut(left, right) : name;
}

}  // namespace

QString ShortNames::operator()(const QString& name, const std::function<bool(const QString&)>& fits) {
  if (fits(name)) return name;
  if (holders_.isEmpty())
    for (const QString& one : all_) {
      const QStringList parts = one.split(QLatin1Char('_'));
      for (const QString& part : QSet<QString>(parts.begin(), parts.end())) ++holders_[part];
    }
  QStringList parts = name.split(QLatin1Char('_'));
  std::vector<int> holders;  // for each part
  for (const QString& part : parts) {
    const bool words =
        part.contains(QLatin1Char(' '));  // as in "probability (CPU, ν_e 45)": not a key of a file name
    holders.push_back(words ? 0 : holders_.value(part));
  }
  QString shown = name;
  for (auto most = std::max_element(holders.begin(), holders.end()); *most > 1 && !fits(shown);
       most = std::max_element(holders.begin(), holders.end())) {
    parts[most - holders.begin()] = kLeftOut;
    *most = 0;
    shown = joined(parts);
  }
  if (shown == kLeftOut) shown = name;
  if (fits(shown)) return shown;
  QStringList others = all_;
  others.removeAll(name);
  return elidedInCommon(shown, others, fits);
}

QStringList openFilters() {
  const QString scans = QStringLiteral(
      "*.nii *.nii.gz *.nii.zst *.nii.bz2 *.hdr *.img *.nrrd *.nhdr *.mha *.mhd *.mgh *.mgz *.mif *.mif.gz "
      "*.mih *.dcm");
  const QString surfaces = QStringLiteral("*.vtp *.ply *.stl *.obj *.gii");
  const QString tracts = QStringLiteral("*.trx *.tck *.tck.gz *.trk *.trk.gz *.tt *.tt.gz *.vtk *.vtp");
  const QString tables = QStringLiteral("*.mat *.tsv *.csv *.tfm *.h5");
  return {
      QObject::tr("Scans, surfaces, tracts and tables (%1 %2 %3 %4)").arg(scans, surfaces, tracts, tables),
      QObject::tr("Scans (%1)").arg(scans), QObject::tr("Surfaces (%1)").arg(surfaces),
      QObject::tr("Tracts (%1)").arg(tracts), QObject::tr("All files (*)")};
}

}  // namespace sulcus::ui::model
