#include "ui/model/views/commands.h"

#include <algorithm>

namespace sulcus::ui::model {

void Commands::add(Command command) {
  Q_ASSERT(!find(command.name));
  commands_.push_back(std::move(command));
}

bool Commands::trigger(const QString& name) {
  const Command* command = find(name);
  if (!command || (command->enabled && !command->enabled())) return false;
  const auto run = command->run;  // a copy: a command may end the window
  run();
  emit triggered(name);
  return true;
}

const Command* Commands::find(const QString& name) const {
  const auto found =
      std::find_if(commands_.begin(), commands_.end(), [&](const Command& c) { return c.name == name; });
  return found == commands_.end() ? nullptr : &*found;
}

QString Commands::plainText(const Command& command) {
  QString text = command.text;
  return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

}  // namespace sulcus::ui::model
