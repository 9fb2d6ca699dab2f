#include "core/activation/sampler/gibbs.h"

#include "core/activation/sampler/beta_from_gamma.h"
#include "core/activation/sampler/gibbs_lanes.h"
#include "core/activation/sampler/gibbs_plan.h"
#include "core/activation/sampler/hyper_proposals.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/stage_clock.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace sulcus::activation {

namespace {

constexpr double kBetweenPreviews = 0.3;  // seconds

/// One quantity for the 16 voxels of a tile, aligned for vectors of 16 lanes.
template <class T>
struct alignas(64) TileOf {
  T v[kTile];
};
template <class T>
using Tiles = std::vector<TileOf<T>>;

template <class T>
T* at(Tiles<T>& tiles, std::int64_t tile) {
  return tiles[tile].v;
}

RunBlock* blockFor(int lanes, int k, bool correlated) {
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512dq");
  if (lanes == 16 || (lanes == 0 && wide)) return blockOn16Lanes(k, correlated);
#endif
  return lanes == 1 ? blockOnLanes<1>(k, correlated) : blockOn8Lanes(k, correlated);
}

using DrawHyper = void(int k, int q, const HyperDraw&);

template <int K>
void drawHyperOf(int k, int q, const HyperDraw& draw) {
  if constexpr (K > 0)
    drawHyper(Fixed<K>(), q, draw, OneThread());
  else
    drawHyper(k, q, draw, OneThread());
}

template <int K = kFixedRegressors>
DrawHyper* drawHyperFor(int k) {
  if constexpr (K == 0)
    return &drawHyperOf<0>;
  else
    return k == K ? &drawHyperOf<K> : drawHyperFor<K - 1>(k);
}

/// The voxels of a group in tiles, and its prior.
struct GroupPlan {
  std::int64_t begin = 0, voxels = 0;            ///< first voxel in the problem, and their number
  std::int64_t tile = 0, tiles = 0, blocks = 0;  ///< first tile, and numbers of tiles and blocks
  GroupPrior prior;
  std::vector<double> firstSums;  ///< scatterSums(k, q) of the least-squares estimates, for the first draw
};

/// One chain of one group: the working memory of its hyper-draws.
struct Task {
  int chain = 0, group = 0;
  std::vector<float> rootScales, direction, proposedRoots;
  std::vector<double> blockSums, sums, delta, variance, work;
  std::atomic<std::int64_t> blocksLeft{0};
};

class Sampler {
 public:
  Sampler(int lanes, const GibbsProblem& problem, const GibbsOptions& options, const Progress& progress)
      : problem_(problem),
        options_(options),
        progress_(progress),
        k_(problem.regressors),
        q_(problem.covariates),
        layout_{k_, q_},
        tile_{k_, q_, problem.correlated},
        runBlock_(blockFor(lanes, k_, problem.correlated)),
        drawHyper_(drawHyperFor(k_)),
        law_(degreesOfFreedom(problem)),
        plan_(options.kept()),
        inverse_(inverseFactor(problem)),
        betaFromGamma_(betaFromGamma(problem)),
        proposals_(proposeHyper(problem, options)),
        tasks_(problem.groups.size() * options.chains) {
    planGroups();
    fillTiles();
    reserveResult();
    for (std::size_t i = 0; i < tasks_.size(); ++i) startTask(tasks_[i], int(i));
  }

  GibbsResult run(const GibbsPreview& preview) {
    // If there are enough tasks for the threads, each thread runs whole tasks and need not wait for others
    // between iterations. Otherwise the threads share the blocks of every iteration.
    const int threads = threadCount(), tasks = int(tasks_.size());
    std::int64_t mostBlocks = 0;
    for (const auto& g : groups_) mostBlocks = std::max(mostBlocks, g.blocks);
    const int rounds = (tasks + threads - 1) / threads;
    const bool wholeTasks = mostBlocks <= 2 || rounds * threads <= 1.25 * tasks;

    StageClock sincePreview;
    int batch = 1;
    for (int iteration = 0; iteration < options_.draws;) {
      const StageClock clock;
      const int end = std::min(options_.draws, iteration + batch);
      if (wholeTasks)
        parallelFor(tasks, 1, Progress(), [&](std::int64_t t) { runTask(tasks_[t], iteration, end); });
      else
        for (int i = iteration; i < end; ++i) runIteration(i);
      iteration = end;
      const double done = double(iteration) / options_.draws;
      progress_.update(done);
      const double seconds = clock.seconds();
      if (seconds < 0.025) batch *= 2;
      if (seconds > 0.075) batch = std::max(1, batch / 2);
      const int kept = options_.keptBefore(iteration);
      if (preview && kept > 0 && iteration < options_.draws && sincePreview.seconds() > kBetweenPreviews) {
        preview(momentsAfter(kept), done);
        sincePreview.restart();
      }
    }
    result_.moments = momentsAfter(options_.kept());
    if (!proposals_.empty()) setHyper(problem_, options_, proposals_, taken_, result_);
    return std::move(result_);
  }

 private:
  void planGroups() {
    std::int64_t tile = 0;
    for (const auto& group : problem_.groups) {
      GroupPlan g;
      g.begin = group.begin;
      g.voxels = group.end - group.begin;
      g.tile = tile;
      g.tiles = (g.voxels + kTile - 1) / kTile;
      g.blocks = (g.tiles + kBlockTiles - 1) / kBlockTiles;
      tile += g.tiles;
      g.prior = groupPrior(problem_, group);
      groups_.push_back(std::move(g));
    }
    tiles_ = tile;
  }

  /// Copies the problem into tiles. The last tile of a group is padded with its last voxel.
  void fillTiles() {
    const int chains = options_.chains;
    data_.resize(tiles_ * tile_.size());
    ids_.resize(tiles_);
    sigma2_.resize(tiles_ * chains);
    moments_.resize(tiles_ * chains * MomentLayout{k_}.size());
    std::vector<double> x(k_ + q_);
    for (auto& g : groups_) {
      g.firstSums.assign(scatterSums(k_, q_), 0.0);
      for (std::int64_t slot = 0; slot < g.tiles * kTile; ++slot) {
        if (slot % 1024 == 0) progress_.throwIfCancelled();
        fillLane(g, slot, x);
        if (slot < g.voxels) addScatter(x, g.firstSums.data());
      }
    }
  }

  /// Fills one lane of the tiles of a group.
  ///
  /// @param x  receives the estimates and covariates of its voxel, k + q
  void fillLane(const GroupPlan& g, std::int64_t slot, std::vector<double>& x) {
    const std::int64_t voxel = g.begin + std::min(slot, g.voxels - 1), tile = g.tile + slot / kTile;
    const std::int64_t all = problem_.voxels;
    const int lane = int(slot % kTile);
    float* const data = at(data_, tile * tile_.size()) + lane;
    for (int i = 0; i < k_; ++i) x[i] = data[i * kTile] = problem_.estimate[i * all + voxel];
    for (int c = 0; c < q_; ++c) x[k_ + c] = problem_.z[c * all + voxel];
    for (int c = 1; c < q_; ++c) data[(tile_.z() + c - 1) * kTile] = float(x[k_ + c]);
    data[tile_.squares() * kTile] = squaresOf(problem_, voxel);
    for (int i = tile_.precision(); i < tile_.size(); ++i)
      data[i * kTile] = problem_.precision[(i - tile_.precision()) * all + voxel];
    at(ids_, tile)[lane] = problem_.voxelId[voxel];
    for (int chain = 0; chain < options_.chains; ++chain)
      at(sigma2_, chain * tiles_ + tile)[lane] = problem_.errorPrior[voxel];
  }

  /// Adds the products of a voxel's estimates, lower triangle by rows, and of these with its covariates.
  void addScatter(const std::vector<double>& x, double* sums) const {
    for (int i = 0; i < k_; ++i)
      for (int j = 0; j <= i; ++j) *sums++ += x[i] * x[j];
    for (int c = 0; c < q_; ++c)
      for (int i = 0; i < k_; ++i) *sums++ += x[k_ + c] * x[i];
  }

  void reserveResult() {
    if (!proposals_.empty()) {
      taken_.resize(std::size_t(options_.draws) * tasks_.size());
      return;
    }
    const std::size_t kept = std::size_t(options_.kept()) * tasks_.size();
    result_.hyper.resize(std::size_t(layout_.size()) * options_.draws * tasks_.size());
    result_.delta.resize(kept * q_ * k_);
    result_.vBeta.resize(kept * k_ * k_);
  }

  /// Draws the hyper-parameters of iteration 0 from the least-squares estimates, with unit axes and Δ = 0.
  void startTask(Task& task, int index) {
    task.chain = index / int(groups_.size());
    task.group = index % int(groups_.size());
    const GroupPlan& g = groups_[task.group];
    task.rootScales.resize(k_);
    if (!proposals_.empty()) {
      task.blockSums.resize(g.blocks);
      task.proposedRoots.resize(k_);
      takeProposal(task, 0, 0);
      return;
    }
    task.blockSums.resize(g.blocks * hyperSums(k_, q_, options_.interwoven));
    task.direction.resize(k_);
    task.delta.resize(q_ * k_);
    task.variance.resize(k_ * k_);
    task.work.resize(hyperWork(k_, q_));
    std::vector<float> start(layout_.size(), 0.0f);
    for (int i = 0; i < k_; ++i) start[i * k_ + i] = 1;
    task.sums = g.firstSums;
    drawHyperParameters(task, parametersAt(start.data(), layout_), 0);
  }

  /// Index of an iteration of a task.
  std::size_t placeOf(const Task& task, int iteration) const {
    return (std::size_t(task.chain) * groups_.size() + task.group) * options_.draws + iteration;
  }

  /// The hyper-parameters of an iteration in the result.
  float* record(const Task& task, int iteration) {
    return result_.hyper.data() + placeOf(task, iteration) * layout_.size();
  }

  /// The hyper-parameters proposed for an iteration.
  HyperParameters proposed(const Task& task, int iteration) {
    return parametersAt(proposals_.records.data() + placeOf(task, iteration) * layout_.size(), layout_);
  }

  /// Sets the hyper-parameters of iteration t to those proposed for iteration `from`.
  void takeProposal(Task& task, int t, int from) {
    taken_[placeOf(task, t)] = from;
    const auto setRoots = [&](int iteration, std::vector<float>& roots) {
      const float* const scales = proposed(task, iteration).scales;
      for (int j = 0; j < k_; ++j) roots[j] = std::sqrt(scales[j]);
    };
    setRoots(from, task.rootScales);
    if (t + 1 < options_.draws) setRoots(t + 1, task.proposedRoots);
  }

  /// Sets the hyper-parameters of iteration t for its voxels, and those proposed for the next one.
  void setSteps(Task& task, int t, GibbsBlock& b) {
    const bool proposes = !proposals_.empty();
    const HyperParameters hyper =
        proposes ? proposed(task, taken_[placeOf(task, t)]) : parametersAt(record(task, t), layout_);
    b.step = {b.q,          hyper.axes,
              hyper.scales, task.rootScales.data(),
              hyper.means,  options_.interwoven && !proposes ? task.direction.data() : nullptr};
    if (!proposes) return;
    const HyperParameters next = proposed(task, std::min(t + 1, options_.draws - 1));
    b.proposed = {b.q, next.axes, next.scales, task.proposedRoots.data(), next.means};
  }

  /// Draws the hyper-parameters of iteration t from task.sums, which are those of iteration t − 1 with the
  /// hyper-parameters `last`, and stores Δ and V_β in β if iteration t is kept.
  void drawHyperParameters(Task& task, const HyperParameters& last, int t) {
    const HyperParameters next = parametersAt(record(task, t), layout_);
    const HyperPrior prior = groups_[task.group].prior.view();
    drawHyper_(k_, q_,
               {prior,
                last,
                next,
                task.sums.data(),
                {options_.seed, std::uint32_t(t), std::uint32_t(task.group), std::uint32_t(task.chain)},
                options_.interwoven && t > 0,
                task.delta.data(),
                task.variance.data(),
                task.work.data()});
    for (int j = 0; j < k_; ++j) task.rootScales[j] = std::sqrt(next.scales[j]);
    for (int a = 0; a < k_; ++a)
      task.direction[a] =
          float(shiftDirection(k_, next.axes, prior.toGamma, prior.shifted(k_, std::uint32_t(t)), a));
    if (!options_.isKept(t)) return;
    const std::size_t index =
        (std::size_t(task.chain) * groups_.size() + task.group) * options_.kept() + options_.keptBefore(t);
    drawInBeta(betaFromGamma_, q_, task.delta.data(), task.variance.data(),
               result_.delta.data() + index * q_ * k_, result_.vBeta.data() + index * k_ * k_);
  }

  /// Draws the voxels of one block in iteration t.
  void runBlock(Task& task, std::int64_t block, int t, float* scratch) {
    progress_.throwIfCancelled();
    const GroupPlan& g = groups_[task.group];
    const std::int64_t first = block * kBlockTiles, tile = g.tile + first;
    const std::int64_t ofChain = task.chain * tiles_ + tile;
    GibbsBlock b;
    b.k = k_;
    b.q = q_;
    b.voxels = int(std::min<std::int64_t>(kBlockTiles * kTile, g.voxels - first * kTile));
    b.data = at(data_, tile * tile_.size());
    b.ids = at(ids_, tile);
    b.sigma2 = at(sigma2_, ofChain);
    if (options_.isKept(t)) b.moments = at(moments_, ofChain * MomentLayout{k_}.size());
    setSteps(task, t, b);
    b.law = law_;
    b.key = options_.seed;
    b.iteration = std::uint32_t(t);
    b.chain = std::uint32_t(task.chain);
    b.inverse = inverse_.data();
    b.perFreedom = 1 / degreesOfFreedom(problem_);
    b.plan = plan_;
    b.index = options_.keptBefore(t);
    b.sums =
        task.blockSums.data() + block * (proposals_.empty() ? hyperSums(k_, q_, options_.interwoven) : 1);
    b.scratch = scratch;
    runBlock_(b);
  }

  /// Adds the sums of the blocks of iteration t in order, and draws the hyper-parameters of iteration t + 1.
  void endIteration(Task& task, int t) {
    if (t + 1 == options_.draws) return;
    if (!proposals_.empty()) {
      double change = 0;
      for (const double sum : task.blockSums) change += sum;
      const int now = taken_[placeOf(task, t)];
      const bool takes = proposals_.takes(placeOf(task, t + 1), placeOf(task, now), change);
      takeProposal(task, t + 1, takes ? t + 1 : now);
      return;
    }
    const int count = hyperSums(k_, q_, options_.interwoven);
    task.sums.assign(count, 0.0);
    for (std::size_t at = 0; at < task.blockSums.size(); at += count)
      for (int i = 0; i < count; ++i) task.sums[i] += task.blockSums[at + i];
    drawHyperParameters(task, parametersAt(record(task, t), layout_), t + 1);
  }

  Tiles<float> scratch() const { return Tiles<float>(blockScratch(k_, q_) / kTile); }

  /// Iterations from … to − 1 of one task on one thread.
  void runTask(Task& task, int from, int to) {
    auto memory = scratch();
    for (int t = from; t < to; ++t) {
      for (std::int64_t block = 0; block < groups_[task.group].blocks; ++block)
        runBlock(task, block, t, at(memory, 0));
      endIteration(task, t);
    }
  }

  /// Shares the blocks of all tasks in iteration t among the threads. The thread that finishes the last block
  /// of a task ends its iteration.
  void runIteration(int t) {
    std::int64_t blocks = 0;
    for (auto& task : tasks_) {
      task.blocksLeft = groups_[task.group].blocks;
      blocks += groups_[task.group].blocks;
    }
    const std::int64_t share = std::clamp<std::int64_t>(blocks / (8 * threadCount()), 1, 16);
    parallelForBlocks(blocks, share, Progress(), [&](std::int64_t begin, std::int64_t end) {
      auto memory = scratch();
      std::size_t index = 0;
      std::int64_t before = 0;  // blocks of the tasks before this one
      for (std::int64_t i = begin; i < end; ++i) {
        while (i - before >= groups_[tasks_[index].group].blocks)
          before += groups_[tasks_[index++].group].blocks;
        runBlock(tasks_[index], i - before, t, at(memory, 0));
        if (--tasks_[index].blocksLeft == 0) endIteration(tasks_[index], t);
      }
    });
  }

  /// Moments over the first `done` kept draws of each chain.
  GibbsMoments momentsAfter(int done) {
    const std::int64_t all = problem_.voxels;
    const int triangle = k_ * (k_ + 1) / 2;
    const MomentLayout layout{k_};
    GibbsMoments m;
    for (auto* perRegressor : {&m.mean, &m.rhat, &m.ess}) perRegressor->resize(all * k_);
    m.covariance.resize(all * triangle);
    m.sigma2Mean.resize(all);
    m.sigma2Var.resize(all);
    for (const auto& g : groups_)
      parallelForBlocks(g.voxels, 1024, Progress(), [&](std::int64_t begin, std::int64_t end) {
        progress_.throwIfCancelled();
        std::vector<float> mean(k_), covariance(triangle), rhat(k_), ess(k_);
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t tile = g.tile + i / kTile, voxel = g.begin + i;
          const int lane = int(i % kTile);
          const float* const data = at(data_, tile * tile_.size()) + lane;
          const float center = data[tile_.squares() * kTile] * (1 / degreesOfFreedom(problem_));
          float sigma2[2];
          const ChainSums sums{at(moments_, tile * layout.size()) + lane,
                               kTile,
                               tiles_ * layout.size() * kTile,
                               options_.chains,
                               options_.kept(),
                               done,
                               plan_,
                               center};
          combineChains(k_, inverse_.data(), sums,
                        {mean.data(), covariance.data(), sigma2, rhat.data(), ess.data()});
          for (int j = 0; j < k_; ++j) {
            m.mean[j * all + voxel] = problem_.estimate[j * all + voxel] + mean[j];
            m.rhat[j * all + voxel] = rhat[j];
            m.ess[j * all + voxel] = ess[j];
          }
          for (int j = 0; j < triangle; ++j) m.covariance[j * all + voxel] = covariance[j];
          m.sigma2Mean[voxel] = sigma2[0];
          m.sigma2Var[voxel] = sigma2[1];
        }
      });
    return m;
  }

  const GibbsProblem& problem_;
  const GibbsOptions& options_;
  const Progress& progress_;
  const int k_, q_;
  const HyperLayout layout_;
  const TileLayout tile_;
  RunBlock* const runBlock_;
  DrawHyper* const drawHyper_;
  const ChiSquare<float> law_;
  const BatchPlan plan_;
  const std::vector<float> inverse_;
  const Eigen::MatrixXd betaFromGamma_;  ///< L⁻ᵀ
  HyperProposals proposals_;             ///< empty: hyper-parameters are drawn
  std::vector<int> taken_;               ///< as for setHyper()
  std::vector<Task> tasks_;              ///< one per (group, chain), groups fastest
  std::vector<GroupPlan> groups_;
  std::int64_t tiles_ = 0;  ///< of all groups
  // By tile; those per chain (the last two) by (tile, chain), tiles fastest.
  Tiles<float> data_;         ///< see TileLayout
  Tiles<std::uint32_t> ids_;  ///< indices of the voxels in the image
  Tiles<float> sigma2_;       ///< the previous draw of σ²
  Tiles<float> moments_;      ///< see MomentLayout
  GibbsResult result_;
};

}  // namespace

GibbsResult sampleGibbsOnLanes(int lanes, const GibbsProblem& problem, const GibbsOptions& options,
                               const GibbsPreview& preview, const Progress& progress) {
  requireDraws(options);
  return Sampler(lanes, problem, options, progress).run(preview);
}

GibbsResult sampleGibbs(const GibbsProblem& problem, const GibbsOptions& options, const GibbsPreview& preview,
                        const Progress& progress) {
  return sampleGibbsOnLanes(0, problem, options, preview, progress);
}

}  // namespace sulcus::activation
