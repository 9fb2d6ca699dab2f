#pragma once

#include "core/math/vec3.h"

#include <QObject>
#include <QString>
#include <map>

class QAction;
class QMenu;
class QPoint;

namespace sulcus::ui::widgets {

struct WindowParts;

/// The menus, keys and buttons of the window, made from its commands.
class WindowMenus : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// Called once all commands exist.
  void build(WindowParts& window);
  /// The entry of a command that exists.
  QAction* action(const char* command) const;
  void setText(const char* command, const QString& text);
  /// Updates for every command whether it is enabled, and whether it is on.
  void refresh();
  void fillRecent();
  /// The GPU for runs: the local one or a remote one.
  void fillHosts();
  void showLayerMenu(const QPoint& at);
  /// The menu for a position in a view, mm RAS+.
  void showViewMenu(const QPoint& at, const Vec3<double>& world);

 signals:
  void refreshed();

 private:
  void buildCorner();
  void fillBookmarks();

  WindowParts* window_ = nullptr;  ///< null until build()
  std::map<QString, QAction*> actions_;
  QMenu *recentMenu_ = nullptr, *recentSessionsMenu_ = nullptr, *layerMenu_ = nullptr, *hostsMenu_ = nullptr;
  QMenu* bookmarksMenu_ = nullptr;
};

}  // namespace sulcus::ui::widgets
