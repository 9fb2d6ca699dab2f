#pragma once

#include <QComboBox>
#include <string>
#include <vector>

namespace sulcus::ui::widgets {

/// The choice of a color map: those by name, those of one's own that were seen since the start, one from a
/// file, or colors picked by hand.
class ColorMapBox : public QComboBox {
  Q_OBJECT
 public:
  /// `none`: words for no map, which is "", as the first choice; where they are empty there is no such
  /// choice.
  explicit ColorMapBox(const QString& none = {}, QWidget* parent = nullptr);

  /// Shows a map as chosen; `map` is as Display::colormap holds it. `subject`: whose it is, for chosen().
  void setMap(const std::string& map, int subject = 0);
  /// As setMap(), and emits the signal: a choice of the user.
  void choose(const std::string& map);

 signals:
  /// `subject`: whose map was shown when the choice began, which may take a dialog.
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
