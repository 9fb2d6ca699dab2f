#pragma once

#include "core/analysis/analysis.h"

#include <QString>
#include <string>
#include <vector>

namespace sulcus::ui::model {

// The door through which what core and its like say comes into the window. They write English, which is what
// files and the command line keep.

/// A text that stands whole in the sources, such as a label, in the language of the window. A sentence that
/// was put together of several parts stays English.
QString words(const std::string& text);

/// The name of a layer of a result as the window shows it: "probability of visual (CPU)" of
/// "ppm_visual (CPU)". What stands in parentheses, the title of a run, is in the window's language already.
QString layerTitle(const std::string& name);

/// "ν_e" of "ν_e: prior of the noise": the name of an option within a sentence.
QString shortLabel(const OptionInfo& option);

/// A value as the form shows it: "3 voxels", or the word that stands for the lowest value, such as "auto".
QString valueText(const OptionInfo& option, const OptionValue& value);

/// A sentence that was written for the command line too, in the words of the window: "give --design" becomes
/// "give “Design matrix”". Flags that the analysis does not have lose their dashes.
QString localizeForWindow(const Analysis& analysis, const std::string& sentence);
/// A note in the words of the window: its parameter is called as in the form.
QString noteText(const Analysis& analysis, const Note& note);
/// A note of a layer. Its parameter is that of the analysis that computed it, else of the first that has one
/// of that name, as in previews.
QString noteText(const std::vector<Analysis>& analyses, const Layer& layer, const Note& note);
/// A sentence about opening and saving in the words of the window: nothing there has flags.
QString localizeForWindow(const std::string& sentence);
QString noteText(const Note& note);

/// A chart with all that is written in it in the language of the window.
Chart localizeForWindow(Chart chart);

}  // namespace sulcus::ui::model
