#pragma once

#include <QString>
#include <QStringList>
#include <string>

// Remote machines for runs, as --backend names them: "ssh:server", "ssh:server/cpu",
// "slurm:login/gpu/long".
namespace sulcus::ui::model {

/// The places in the text that the preferences keep: those between its commas, each once.
QStringList remoteHostsIn(const std::string& text);
std::string remoteHostsText(const QStringList& places);

/// What a place is called on screen: "server", "server (CPU)", "login (Slurm)", "login (Slurm long)".
QString remoteHostTitle(const QString& place);

}  // namespace sulcus::ui::model
