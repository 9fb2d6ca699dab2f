#pragma once

#include "core/base/options.h"
#include "core/image/volume.h"
#include "core/math/affine.h"
#include "core/phantom/known_warp.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace sulcus::phantom {

/// Parameters of the people phantom.
struct PeoplePhantomOptions {
  int people = 4;
  int size = 40;
  double displacement = 1.5;
  double noise = 1;
  int seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(people, numberOption("people", "People", "", {2, 40, 2},
                               "In pairs that differ from the middle by as much in opposite ways."));
    visit(size, numberOption("size", "Size", "voxels", {32, 192, 8},
                             "Along each axis of a cube of 192 mm around the head."));
    visit(displacement, numberOption("displacement", "Largest displacement", "voxels", {0, 8, 0.5},
                                     "Of each person from the middle, beside turn, size and position."));
    visit(noise, numberOption("noise", "Noise", "%", {0, 50, 1},
                              "Standard deviation of the Gaussian noise, of the brightest tissue."));
    visit(seed, numberOption("seed", "Seed", "", {0, 2147483000, 1}, "Of shapes and noise."));
  }
};

/// Several people of one head, by deformations whose velocities, and linear maps whose logarithms, come in
/// pairs of both signs: the middle of all is the head as it is. Their images differ in brightness, too.
class PeoplePhantom {
 public:
  explicit PeoplePhantom(const PeoplePhantomOptions& options);

  std::size_t count() const { return people_.size(); }
  const Grid& grid() const { return grid_; }

  /// Where a person has the point x of the head as it is, both mm.
  Vec3<double> personPoint(std::size_t person, const Vec3<double>& x) const;
  /// The intensity of the head as it is at a point, mm, and whether the point lies in its brain.
  double headAt(const Vec3<double>& x) const;
  bool isBrain(const Vec3<double>& x) const;

  std::shared_ptr<const Series<float>> image(std::size_t person) const;
  /// The head as it is, without noise.
  std::shared_ptr<const Series<float>> head() const;

 private:
  struct Person {
    KnownWarp velocity;
    double sign;
    Affine logarithm;
  };
  /// The flow of a person's velocity for a time.
  Vec3<double> flowed(const Person& person, Vec3<double> x, double time) const;

  PeoplePhantomOptions options_;
  double spacing_;  ///< mm
  Grid grid_;
  std::vector<Person> people_;
};

}  // namespace sulcus::phantom
