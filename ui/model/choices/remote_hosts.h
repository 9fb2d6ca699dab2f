#pragma once

#include <QString>
#include <QStringList>
#include <string>

// Remote machines for runs, as --backend names them: "ssh:server", "ssh:server/cpu",
// "slurm:login/gpu/long".
namespace sulcus::ui::model {

/// The places in the text stored in the preferences: its parts between commas, without duplicates.
QStringList remoteHostsIn(const std::string& text);
std::string remoteHostsText(const QStringList& places);

/// The title of a place on screen: "server", "server (CPU)", "login (Slurm)", "login (Slurm long)".
QString remoteHostTitle(const QString& place);

}  // namespace sulcus::ui::model
