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

  /// Shows a map as chosen; `map` is as Display::colormap holds it.
  void setMap(const std::string& map);
  /// As setMap(), and tells so: a choice of the user.
  void choose(const std::string& map);

 signals:
  void chosen(const std::string& map);

 private:
  void take(int index);
  void openFile();
  void pickColors();

  std::string shown_;
};

}  // namespace sulcus::ui::widgets
