#pragma once

#include "ui/model/session/session_state.h"
#include "ui/model/views/commands.h"

#include <QObject>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

class QDockWidget;
class QMainWindow;
class QSettings;

namespace sulcus::ui::widgets {

class FoldingTabs;
class ViewArea;

enum class Side { layers, analysis, lower };

/// The panels next to and below the views. They are visible while something is open, unless the user has
/// folded them away; in a small window the analysis panel gives its room to the views of a comparison.
class SidePanels : public QObject {
  Q_OBJECT
 public:
  /// A page of the lower panel, with its name in sessions.
  using Page = std::pair<std::string, QWidget*>;
  static constexpr int kPanelEms = 26;  ///< width of those next to the views at which no row is cut off

  /// @param hasBegun whether something is open that panels refer to
  SidePanels(QMainWindow& window, QSettings& settings, std::function<bool()> hasBegun);

  void add(Side side, const QString& title, const char* name, QWidget* widget, Qt::DockWidgetArea area);
  void addLower(const QString& title, FoldingTabs* lower, std::vector<Page> pages);
  /// The views to which the analysis panel gives its room; must exist before anything is shown.
  void setViews(ViewArea& views) { views_ = &views; }
  void addCommands(model::Commands& commands);
  /// Destroys their content before the objects that it signals to.
  void deleteDocks();

  QDockWidget* dock(Side side) const { return panels_[std::size_t(side)].dock; }
  int leastWidth() const;
  void setWanted(Side side, bool wanted);
  /// Shows the panels that are wanted, once something is open.
  void show();
  /// In a narrow window the lower panel is below the others, else between them.
  void fitCorners();
  /// The width of all tabs of the analyses, as far as the window has room for them.
  int widthOfTabs() const;
  /// Decides, after the event that moves them, whether the analysis panel gives its room to a comparison.
  void fitSoon();
  model::PanelsLook look() const;
  void setLook(const model::PanelsLook& look);
  /// Load and save the arrangement in the settings.
  void restore();
  void keep();

 signals:
  void changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Panel {
    const char* name = "";
    QDockWidget* dock = nullptr;
    bool wanted = true;
    bool yields = false;    ///< gives its room to views that would be too small
    bool insisted = false;  ///< the user wants it anyway
    int widthBefore = 0;    ///< before the window became too narrow for it; 0: it did not
    int windowBefore = 0;   ///< width of the window then
    bool shown() const { return wanted && !yields; }
  };

  Panel& of(Side side) { return panels_[std::size_t(side)]; }
  const Panel& of(Side side) const { return panels_[std::size_t(side)]; }
  void floatPanel(Side side);
  bool viewsOnly() const;
  void fit();
  /// Gives panels back the width that a narrow window took from them.
  void widenAgain();

  QMainWindow& window_;
  QSettings& settings_;
  std::function<bool()> hasBegun_;
  FoldingTabs* lower_ = nullptr;
  ViewArea* views_ = nullptr;
  std::vector<Page> pages_;
  std::array<Panel, 3> panels_;
  int windowWidth_ = 0;  ///< for which the panels are laid out
  bool widening_ = false;
  int lowerHeight_ = 0;    ///< of the lower panel when open, as set by the user; 0: never opened
  bool arranged_ = false;  ///< the panels have been shown as they were left
};

}  // namespace sulcus::ui::widgets
