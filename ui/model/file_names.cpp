#include "ui/model/file_names.h"

#include <QObject>

namespace sulcus::ui::model {

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

QStringList openFilters() {
  const QString scans =
      QStringLiteral("*.nii *.nii.gz *.hdr *.img *.nrrd *.nhdr *.mha *.mhd *.mgh *.mgz *.dcm");
  const QString surfaces = QStringLiteral("*.vtp *.ply *.stl *.obj *.gii");
  return {QObject::tr("Scans, surfaces and tables (%1 %2 *.mat *.tsv *.csv *.tfm)").arg(scans, surfaces),
          QObject::tr("Scans (%1)").arg(scans), QObject::tr("Surfaces (%1)").arg(surfaces),
          QObject::tr("All files (*)")};
}

}  // namespace sulcus::ui::model
