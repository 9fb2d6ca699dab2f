#pragma once

#include <QString>
#include <QStringList>
#include <string>

// Machines elsewhere that runs can be made on, as --backend names them: "ssh:server", "ssh:server/cpu",
// "slurm:login/gpu/long".
namespace sulcus::ui::model {

/// The places in the text that the preferences keep: those between its commas, each once.
QStringList placesIn(const std::string& text);
std::string placesText(const QStringList& places);

/// What a place is called on screen: "server", "server (CPU)", "login (Slurm)", "login (Slurm long)".
QString placeTitle(const QString& place);

}  // namespace sulcus::ui::model
