#include "ui/model/file_names.h"

#include <QObject>
#include <QRegularExpression>
#include <algorithm>

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
  return fileStem(name) + QString::fromStdString(usualExtension(layer));
}

QString saveFilters(const Layer& layer) {
  if (std::holds_alternative<MeshLayer>(layer.content))
    return QObject::tr("VTK (*.vtp);;PLY (*.ply);;STL (*.stl);;OBJ (*.obj);;GIFTI (*.gii)");
  if (gridOf(layer)) return QObject::tr("NIfTI (*.nii.gz *.nii);;NRRD (*.nrrd);;MetaImage (*.mha)");
  return QObject::tr("Table (*.tsv *.csv)");
}

QString withEnding(const QString& name, const QString& filters, const QString& chosen) {
  const QStringList all = endingsOf(filters), wanted = endingsOf(chosen);
  const bool has =
      std::any_of(all.begin(), all.end(), [&](const QString& ending) { return name.endsWith(ending); });
  return has || wanted.isEmpty() ? name : name + wanted.front();
}

QStringList openFilters() {
  const QString scans = QStringLiteral(
      "*.nii *.nii.gz *.hdr *.img *.nrrd *.nhdr *.mha *.mhd *.mgh *.mgz *.mif *.mif.gz *.mih *.dcm");
  const QString surfaces = QStringLiteral("*.vtp *.ply *.stl *.obj *.gii");
  return {QObject::tr("Scans, surfaces and tables (%1 %2 *.mat *.tsv *.csv *.tfm)").arg(scans, surfaces),
          QObject::tr("Scans (%1)").arg(scans), QObject::tr("Surfaces (%1)").arg(surfaces),
          QObject::tr("All files (*)")};
}

}  // namespace sulcus::ui::model
