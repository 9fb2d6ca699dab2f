#include "ui/model/views/commands.h"

#include <algorithm>

namespace sulcus::ui::model {

void Commands::add(const QString& name, const QString& text, const QString& keys, std::function<void()> run,
                   std::function<bool()> enabled) {
  addSwitch(name, text, keys, std::move(run), {}, std::move(enabled));
}

void Commands::addSwitch(const QString& name, const QString& text, const QString& keys,
                         std::function<void()> run, std::function<bool()> checked,
                         std::function<bool()> enabled) {
  Q_ASSERT(!find(name));
  commands_.push_back({name, text, keys, std::move(run), std::move(checked), std::move(enabled)});
}

bool Commands::trigger(const QString& name) {
  const Command* command = find(name);
  if (!command || (command->enabled && !command->enabled())) return false;
  const auto run = command->run;  // a copy: a command may close the window
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
