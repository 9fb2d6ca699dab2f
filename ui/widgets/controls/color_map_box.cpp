#include "ui/widgets/controls/color_map_box.h"

#include "core/base/error.h"
#include "core/image/display/color_stops.h"
#include "core/io/tables/color_maps.h"
#include "ui/model/text/localize.h"
#include "ui/scene/common/colormap.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/dialogs/dialogs.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QColorDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <array>

namespace sulcus::ui::widgets {
namespace {

/// The actions of the last two items; every other item has a color map.
enum class MenuAction { file = 1, colors };
constexpr int kActionRole = Qt::UserRole + 1;

constexpr QSize kStrip(36, 14), kWideStrip(64, 14);  ///< of colors: beside the name of the map, in the list

QIcon iconOf(const std::string& map) {
  const auto table = scene::colormapTable(map);
  QImage strip(int(table.size()), 1, QImage::Format_ARGB32);
  for (std::size_t i = 0; i < table.size(); ++i)
    strip.setPixel(int(i), 0, qRgba(table[i][0], table[i][1], table[i][2], table[i][3]));
  QIcon icon;
  for (const QSize size : {kStrip, kWideStrip})
    icon.addPixmap(QPixmap::fromImage(strip.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)));
  return icon;
}

void paint(QPushButton* button, const QColor& color) {
  QPixmap patch(32, 14);
  patch.fill(color);
  button->setIcon(QIcon(patch));
  button->setText(color.name());
  button->setProperty("color", color);
}

ColorStop colorOf(const QPushButton* button) {
  const auto color = button->property("color").value<QColor>();
  return {std::uint8_t(color.red()), std::uint8_t(color.green()), std::uint8_t(color.blue()), 255};
}

}  // namespace

ColorMapBox::ColorMapBox(const QString& none, QWidget* parent) : QComboBox(parent) {
  setIconSize(kStrip);
  view()->setIconSize(kWideStrip);
  setMinimumContentsLength(6);
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  if (!none.isEmpty()) addItem(none, QString());
  for (const std::string& name : scene::colormapNames()) {
    addItem(iconOf(name), model::words(name), QString::fromStdString(name));
  }
  insertSeparator(count());
  for (const auto& [text, asked] :
       {std::pair(tr("From a file…"), MenuAction::file), std::pair(tr("Own colors…"), MenuAction::colors)}) {
    addItem(text);
    setItemData(count() - 1, int(asked), kActionRole);
  }
  guardWheel(this);
  connect(this, &QComboBox::currentIndexChanged, this, &ColorMapBox::take);
}

void ColorMapBox::setMap(const std::string& map, int subject) {
  const QSignalBlocker quiet(this);
  shown_ = map;
  subject_ = subject;
  int index = findData(QString::fromStdString(map));
  if (index < 0) {
    const int own = findData(QString::fromStdString(scene::colormapNames().back())) + 1;
    const QString text = colorStops(map).empty() ? model::words(map) : tr("own");
    insertItem(own, iconOf(map), text, QString::fromStdString(map));
    index = own;
  }
  setCurrentIndex(index);
}

void ColorMapBox::choose(const std::string& map) { give(map, subject_); }

void ColorMapBox::give(const std::string& map, int subject) {
  if (subject == subject_) setMap(map, subject);
  emit chosen(map, subject);
}

void ColorMapBox::take(int index) {
  const int asked = itemData(index, kActionRole).toInt();
  if (asked == 0) return choose(itemData(index).toString().toStdString());
  setMap(shown_, subject_);
  if (asked == int(MenuAction::file))
    openFile();
  else
    pickColors();
}

void ColorMapBox::openFile() {
  auto* dialog = deletedOnClose(named("colorMapFile", new QFileDialog(window(), tr("Color map"))));
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilter(tr("Color maps (*.cmap *.ctbl *.lut *.txt *.csv);;All files (*)"));
  dressFileDialog(*dialog);
  connect(dialog, &QFileDialog::fileSelected, this, [this, subject = subject_](const QString& file) {
    try {
      give(io::openColorMap(file.toStdString()), subject);
    } catch (const Error& fault) {
      showError(window(), tr("Color map"), model::localizeForWindow(fault.message()));
    }
  });
  dialog->open();
}

void ColorMapBox::pickColors() {
  auto* dialog = deletedOnClose(named("ownColors", new QDialog(window())));
  dialog->setWindowTitle(tr("Own colors"));
  const auto table = scene::colormapTable(shown_);
  const auto colorAt = [&](std::size_t i) { return QColor(table[i][0], table[i][1], table[i][2]); };
  auto* form = new QFormLayout;
  const auto addButton = [&](const QString& label, const char* name, const QColor& color) {
    auto* button = named(name, new QPushButton, label);
    paint(button, color);
    connect(button, &QPushButton::clicked, dialog, [dialog, button, label] {
      auto* picker = deletedOnClose(new QColorDialog(button->property("color").value<QColor>(), dialog));
      picker->setWindowTitle(label);
      QObject::connect(picker, &QColorDialog::colorSelected, button,
                       [button](const QColor& picked) { paint(button, picked); });
      picker->open();
    });
    form->addRow(label, button);
    return button;
  };
  QPushButton* const high = addButton(tr("High end"), "highColor", colorAt(255));
  QPushButton* const middle = addButton(tr("Middle"), "middleColor", colorAt(128));
  auto* withMiddle = named("withMiddle", new QCheckBox(tr("With a color in the middle")));
  withMiddle->setChecked(true);
  connect(withMiddle, &QCheckBox::toggled, middle, &QWidget::setEnabled);
  form->addRow({}, withMiddle);
  QPushButton* const low = addButton(tr("Low end"), "lowColor", colorAt(0));
  auto* clear = named("clearLow", new QCheckBox(tr("Transparent at the low end")), {},
                      tr("Values near the low end of the range are more transparent"));
  clear->setChecked(table[0][3] < 255);
  form->addRow({}, clear);
  QDialogButtonBox* buttons = dialogButtons(dialog, QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(dialog, &QDialog::accepted, this, [this, subject = subject_, low, middle, high, withMiddle, clear] {
    std::vector<ColorStop> colors{colorOf(low)};
    if (clear->isChecked()) colors.front()[3] = 0;
    if (withMiddle->isChecked()) colors.push_back(colorOf(middle));
    colors.push_back(colorOf(high));
    give(colorStopsText(colors), subject);
  });
  auto* column = new QVBoxLayout(dialog);
  column->addLayout(form);
  column->addWidget(buttons);
  dialog->open();
}

}  // namespace sulcus::ui::widgets
