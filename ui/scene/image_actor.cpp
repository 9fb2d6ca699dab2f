#include "ui/scene/image_actor.h"

#include "ui/scene/image_data.h"

#include <algorithm>

#include <vtkImageData.h>
#include <vtkImageProperty.h>
#include <vtkImageResliceMapper.h>
#include <vtkImageSlice.h>
#include <vtkImageStack.h>
#include <vtkMatrix4x4.h>
#include <vtkPlane.h>

namespace sulcus::ui::scene {
namespace {

const Series<float>* seriesOf(const Layer& layer) {
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) return volume->series.get();
  return nullptr;
}

}  // namespace

bool isImage(const Layer& layer) {
  return seriesOf(layer) || std::holds_alternative<LabelsLayer>(layer.content);
}

ImageActor::ImageActor(vtkImageStack* stack, vtkPlane* plane, bool screenPixels)
    : stack_(stack),
      mapper_(vtkSmartPointer<vtkImageResliceMapper>::New()),
      prop_(vtkSmartPointer<vtkImageSlice>::New()),
      colors_(vtkSmartPointer<LayerColors>::New()) {
  mapper_->SetSlicePlane(plane);
  mapper_->SetResampleToScreenPixels(screenPixels);
  mapper_->SetAutoAdjustImageQuality(false);
  mapper_->SetSeparateWindowLevelOperation(false);
  mapper_->SetBorder(true);  // voxels are boxes: the image reaches half a voxel beyond the outer centres
  prop_->SetMapper(mapper_);
  prop_->GetProperty()->SetLookupTable(colors_);
  prop_->GetProperty()->UseLookupTableScalarRangeOn();
  stack_->AddImage(prop_);
}

ImageActor::~ImageActor() { stack_->RemoveImage(prop_); }

void ImageActor::show(const SceneLayer& shown, int number) {
  const Layer& layer = *shown.layer;
  if (shown.layer != layer_ || shown.volume != volume_) {
    if (const Series<float>* series = seriesOf(layer)) {
      const int volume = std::clamp(shown.volume, 0, series->count - 1);
      mapper_->SetInputData(imageOf(*series, volume));
      if (!shown.display.range) {
        const auto view = series->volume(volume);
        automatic_ = automaticRange({view.data, std::size_t(view.voxels())});
      }
    } else {
      mapper_->SetInputData(imageOf(*std::get<LabelsLayer>(layer.content).labels));
    }
    prop_->SetUserMatrix(matrixOf(gridOf(layer)->worldFromVoxel));
    layer_ = shown.layer;
    volume_ = shown.volume;
  }
  const bool labels = std::holds_alternative<LabelsLayer>(layer.content);
  if (labels)
    colors_->showLabels(shown.display);
  else
    colors_->show(shown.display, automatic_);
  vtkImageProperty* property = prop_->GetProperty();
  if (shown.display.interpolate && !labels)
    property->SetInterpolationTypeToLinear();
  else
    property->SetInterpolationTypeToNearest();
  property->SetOpacity(shown.display.opacity);
  property->SetLayerNumber(number);
}

}  // namespace sulcus::ui::scene
