#pragma once

#include "core/analysis/analysis.h"

#include <QString>
#include <string>
#include <vector>

namespace sulcus::ui::model {

// The door through which what core and its like say comes into the window. They write English, which is what
// files and the command line keep. resources/translations/extract.py finds their texts, with places for what
// a run puts in ("%1 is a folder"); what is shown is held against these.

/// A text in the language of the window. One that was put together of a text with places and of what stands
/// there is translated as a whole, and so is what stands in the places, except words in quotes, such as names
/// of files; of several sentences or items each by itself. What no source says stays as it is.
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
/// A note of a layer in the words of the window; the analysis that computed it, if any, is one of these.
QString localizeForWindow(const std::vector<Analysis>& analyses, const Layer& layer, const std::string& note);
/// A sentence about opening and saving in the words of the window: nothing there has flags.
QString localizeForWindow(const std::string& sentence);

/// A chart with all that is written in it in the language of the window.
Chart localizeForWindow(Chart chart);

}  // namespace sulcus::ui::model
