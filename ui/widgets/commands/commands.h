#pragma once

#include "ui/widgets/window/window_parts.h"

#include <QImage>
#include <string>

// Everything a user can do, one source for each feature: it adds its commands and connects the objects
// involved.
namespace sulcus::ui::widgets {

/// Commands for clusters and peaks.
void addClusterCommands(WindowParts& window);

/// Commands for comparing runs, layers and files.
void addCompareCommands(WindowParts& window);
/// Opens two files and compares them, or opens one and compares it with the current layer.
void compareFiles(WindowParts& window, const QStringList& paths);

/// Commands for opening, saving and closing, except for sessions and studies.
void addFileCommands(WindowParts& window);

/// Help, keys, preferences, and information about the program.
void addHelpCommands(WindowParts& window);

/// Commands for open layers.
void addLayerCommands(WindowParts& window);

/// Pictures, movies and pages of the window.
void addPictureCommands(WindowParts& window);
/// Asks for a file name for a picture; `note`: a description of its content, as JSON.
void savePicture(WindowParts& window, const QString& name, const QImage& picture, const std::string& note);
/// The whole window as it is on screen, with `scale` times its pixels.
QImage windowPicture(WindowParts& window, int scale);

/// Saves plots.
void addPlotCommands(WindowParts& window);
/// @param format  png, svg, pdf or csv
void showLinesBetween(WindowParts& window, const QString& first, const QString& second);
void showLinesBetween(WindowParts& window, const QString& first, const QString& second);
void savePlot(WindowParts& window, const QString& format);

/// Builds the bar above the views for painting regions, and the line of the ruler. The menus already exist.
void buildRegions(WindowParts& window);
void addRegionCommands(WindowParts& window);

/// The commands that reinterpret the content of a layer, or make layers from it.
void addReinterpretationCommands(WindowParts& window);

/// Commands for running analyses, and for their parameters.
void addRunCommands(WindowParts& window);
/// Runs the current analysis.
void startRun(WindowParts& window, model::RunChoice choice);

/// The palette that offers every action, every analysis with its inputs and parameters, the settings of the
/// current layer, and every plot, layer, label and help page.
void addSearchCommand(WindowParts& window);

/// Commands for studies.
void addStudyCommands(WindowParts& window);
/// The command line that computes the open study if it has no results yet; else "".
QString studyCommand(const WindowParts& window);
QString whyNoStudyCommand(const WindowParts& window);

/// The commands of the views: layouts, image overlay, slice annotations, the mouse.
void addViewCommands(WindowParts& window);
/// Applies the appearance chosen in the settings.
void showAppearance(const QSettings& settings);

}  // namespace sulcus::ui::widgets
