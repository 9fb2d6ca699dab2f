#pragma once

#include <QComboBox>
#include <string>
#include <vector>

namespace sulcus::ui::widgets {

/// The choice of a color map: named ones, custom ones seen since the start, one from a file, or picked
/// colors.
class ColorMapBox : public QComboBox {
  Q_OBJECT
 public:
  /// `none`: text for no map, which is "", as the first choice; if empty, there is no such choice.
  explicit ColorMapBox(const QString& none = {}, QWidget* parent = nullptr);

  /// Shows a map as chosen; `map` as in Display::colormap. `subject`: its owner, for chosen().
  void setMap(const std::string& map, int subject = 0);
  /// Like setMap(), and emits the signal: a choice of the user.
  void choose(const std::string& map);

 signals:
  /// `subject`: the owner of the map that was shown when the choice began, which may involve a dialog.
  void chosen(const std::string& map, int subject);

 private:
  void give(const std::string& map, int subject);
  void take(int index);
  void openFile();
  void pickColors();

  std::string shown_;
  int subject_ = 0;
};

}  // namespace sulcus::ui::widgets
