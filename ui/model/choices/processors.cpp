#include "ui/model/choices/processors.h"

#include "core/base/provenance.h"
#include "ui/model/choices/remote_hosts.h"
#include "ui/model/workspace.h"

#include <memory>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// The GPU chosen in the preferences, or why there is none.
DeviceReport chosenDevice(DeviceReport report, int gpu) {
  if (report.devices.empty()) return report;
  if (gpu < 0) return {{}, "switched off in the preferences", report.driver};
  if (gpu >= int(report.devices.size()))
    return {{},
            "the preferences name GPU " + std::to_string(gpu) + ", and the last one is GPU " +
                std::to_string(report.devices.size() - 1),
            report.driver};
  report.devices = {report.devices[std::size_t(gpu)]};
  return report;
}

}  // namespace

Processors::Processors(Workspace& workspace, std::function<DeviceReport()> devices, const ChooseGpu& choose,
                       JobQueue& local, JobQueue& remote)
    : workspace_(workspace), devices_(std::move(devices)), choose_(choose), local_(local), remote_(remote) {}

void Processors::ask() {
  struct Answer {
    QString processor;
    DeviceReport report;
  };
  const std::string place = workspace_.preferences().values().place;
  // A remote machine is queried through a connection, which may take long.
  (place.empty() ? local_ : remote_)
      .submit(
          [ask = devices_, choose = choose_, gpu = workspace_.preferences().values().gpu,
           place](const Progress&) {
            if (choose.place) choose.place(place);
            const DeviceReport chosen = place.empty() ? chosenDevice(ask(), gpu) : ask();
            if (choose.index && place.empty() && !chosen.devices.empty()) choose.index(gpu);
            return Answer{QString::fromStdString(cpuName()), chosen};
          },
          [this, place](const Answer& answer) {
            if (place != workspace_.preferences().values().place) return;  // another one is queried meanwhile
            for (const auto& presenter : workspace_.presenters().all())
              presenter->setDevices({true, answer.report});
            emit known(answer.processor, answer.report);
          });
}

void Processors::addHost(const QString& place) {
  if (choose_.check) choose_.check(place.toStdString());
  Preferences now = workspace_.preferences().values();
  now.places = remoteHostsText(remoteHostsIn(now.places + "," + place.toStdString()));
  workspace_.preferences().set(now);
}

void Processors::removeHost(const QString& place) {
  Preferences now = workspace_.preferences().values();
  QStringList places = remoteHostsIn(now.places);
  places.removeAll(place);
  now.places = remoteHostsText(places);
  if (now.place == place.toStdString()) now.place.clear();
  workspace_.preferences().set(now);
}

void Processors::chooseHost(const QString& place) {
  Preferences now = workspace_.preferences().values();
  now.place = place.toStdString();
  workspace_.preferences().set(now);
}

void Processors::setUpHost(const QString& place) {
  if (!choose_.setUp) return;
  const auto found = std::make_shared<std::string>();
  workspace_.files().work(
      tr("Set up %1").arg(remoteHostTitle(place)),
      [found, place = place.toStdString(), setUp = choose_.setUp](const Progress& progress) {
        *found = setUp(place, progress);
      },
      [this, found] {
        ask();
        emit hostSetUp(QString::fromStdString(*found).trimmed());
      });
}

}  // namespace sulcus::ui::model
