// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Bullet (btDiscreteDynamicsWorld, sequential impulse) with its defaults; only the iteration count is chosen and
// sleeping is off, so that everybody works in every step. Bullet multiplies the coefficients of the two bodies: each
// gets √mu and √e_N of its material, so that the product is the pair's value. One stepSimulation = one step of dt, no
// substeps.
// Two lengths are adapted in Bullet's favour: gContactBreakingThreshold (0.02 m) and gDbvtMargin (0.05 m) enlarge every
// bounding box. They suit bodies of a metre; balls of 0.01 m get hundreds of neighbours each and a step of pour_spheres
// takes a second in free flight. Here they are at most 0.2 and 0.5 body sizes.
// In scenes with e_N = 1 contacts enter the solver only once they are closed (contact processing threshold 0): Bullet
// takes the distance of an open contact from its rebound, so that an elastic ball would hardly rise again. There too
// errors of position are not corrected (ERP 0, as SimBenchmark has it): correction adds energy at each bounce.
#include "step_audit.hpp"

#include <btBulletDynamicsCommon.h>
#include <fmt/core.h>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace vinculum::bench {

namespace {

using algebra::Mat3;

btScalar real(double x) { return static_cast<btScalar>(x); }
btVector3 vector(const Vec3& x) { return {real(x.x()), real(x.y()), real(x.z())}; }
btTransform transform(const Pose& X) {
  return btTransform(btQuaternion(real(X.R.x()), real(X.R.y()), real(X.R.z()), real(X.R.w())), vector(X.p));
}
Vec3 vector(const btVector3& x) { return {x.x(), x.y(), x.z()}; }

std::unique_ptr<btCollisionShape> make_shape(const shapes::Shape& s) {
  using shapes::Kind;
  switch (s.kind) {
    case Kind::sphere:
      return std::make_unique<btSphereShape>(real(s.radius));
    case Kind::box:
      return std::make_unique<btBoxShape>(vector(s.half_extents));
    case Kind::plane:
      return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), real(0));
    case Kind::capsule:
      return std::make_unique<btCapsuleShapeZ>(real(s.radius), real(2 * s.half_length));
    case Kind::cylinder:
      return std::make_unique<btCylinderShapeZ>(btVector3(real(s.radius), real(s.radius), real(s.half_length)));
    default:
      throw base::InputError("bullet: found a shape that this bench does not translate, expected a simple one");
  }
}

/// The material's own coefficients; the product rule must give every pair of the scene.
struct Coefficients {
  double friction, restitution;
};
Coefficients coefficients(const model::Model& model, int material) {
  return {std::sqrt(model.pair(material, material).mu), std::sqrt(model.pair(material, material).e_N)};
}
void check_product_rule(const model::Model& model) {
  std::vector<char> used(model.pairs.size());  // more than there are materials
  for (const model::Shape& shape : model.shapes) used[static_cast<std::size_t>(shape.material)] = 1;
  for (const model::Pair& pair : model.pairs) {
    if (!used[static_cast<std::size_t>(pair.a)] || !used[static_cast<std::size_t>(pair.b)]) continue;
    const Coefficients a = coefficients(model, pair.a), b = coefficients(model, pair.b);
    if (std::abs(a.friction * b.friction - pair.mu) > 1e-9 ||
        std::abs(a.restitution * b.restitution - pair.e_N) > 1e-9) {
      throw base::InputError("bullet: found pair coefficients that are no products, expected one material");
    }
  }
}

/// Rotation from principal axes to body axes; the identity when the inertia is diagonal already.
Quat principal_axes(const Mat3& inertia, Vec3& moments) {
  moments = inertia.diagonal();
  const Mat3 rest = inertia - Mat3(moments.asDiagonal());
  if (rest.norm() <= 1e-12 * inertia.norm()) return Quat::Identity();
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  moments = eigen.eigenvalues();
  Mat3 R = eigen.eigenvectors();
  if (R.determinant() < 0) R.col(0) = -R.col(0);
  return Quat(R);
}

class Bullet final : public Peer {
 public:
  Bullet(int iterations, int directions) : iterations_(iterations), directions_(directions) {}
  ~Bullet() override {
    if (!world_) return;
    for (auto& body : moving_) world_->removeRigidBody(body.get());
    for (auto& body : fixed_) world_->removeRigidBody(body.get());
  }

  void load(const model::Model& model) override;
  void step(double dt) override {
    dt_ = dt;
    apply_forces(t_ + 0.5 * dt);
    world_->stepSimulation(real(dt), 0);
    t_ += dt;
  }
  void read(Motion& motion) const override;
  std::size_t contacts() const override;
  StepErrors check(const Motion& before) override;

 private:
  void add_moving(const model::Model& model, const system::System& system, const system::State& state, std::size_t b,
                  const std::vector<const system::Collider*>& colliders);
  void add_touches(btPersistentManifold& manifold, std::vector<Touch>& touches) const;
  void add_fixed(const model::Model& model, const system::Collider& collider);
  void apply_forces(double t);

  int iterations_, directions_;
  bool elastic_ = false;
  double t_ = 0, dt_ = 0;
  std::unique_ptr<system::System> system_;
  std::vector<system::Force> forces_;  // Bullet forgets forces after each step
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btRigidBody>> moving_, fixed_;
  std::vector<Quat> R_BP_;  // principal frame in the body frame
};

void Bullet::load(const model::Model& model) {
  if (!model.rods.empty() || !model.no_contact.empty()) {
    throw base::InputError("bullet: found rods or excluded pairs, expected bodies, forces and contacts only");
  }
  check_product_rule(model);
  for (const model::Pair& pair : model.pairs) elastic_ = elastic_ || pair.e_N == 1;
  world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broad_phase_, &solver_, &configuration_);
  world_->setGravity(vector(model.gravity));
  world_->getSolverInfo().m_numIterations = iterations_;
  if (directions_ == 2) world_->getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  if (elastic_) world_->getSolverInfo().m_erp = world_->getSolverInfo().m_erp2 = 0;
  system_ = std::make_unique<system::System>(model);
  const system::System& system = *system_;
  gContactBreakingThreshold = real(std::min(0.02, 0.2 * system.length_scale));
  gDbvtMargin = real(std::min(0.05, 0.5 * system.length_scale));
  const system::State state = make_initial_state(model, system);
  std::vector<std::vector<const system::Collider*>> colliders(system.body_count());
  for (const system::Collider& collider : system.shapes) {
    collider.body == system::world ? add_fixed(model, collider)
                                   : colliders[static_cast<std::size_t>(collider.body)].push_back(&collider);
  }
  for (std::size_t b = 0; b < system.body_count(); ++b) add_moving(model, system, state, b, colliders[b]);
  forces_ = system.forces;
}

void Bullet::apply_forces(double t) {
  for (const system::Force& force : forces_) {
    if (t < force.from || t >= force.to) continue;
    const auto b = static_cast<std::size_t>(force.body);
    const btQuaternion now = moving_[b]->getWorldTransform().getRotation();
    const Quat R = Quat(now.w(), now.x(), now.y(), now.z()).normalized() * R_BP_[b].conjugate();
    const Vec3 f = force.body_axes ? R * force.force : force.force;
    moving_[b]->applyForce(vector(f), vector(Vec3(R * force.point)));
    moving_[b]->applyTorque(vector(Vec3(force.body_axes ? R * force.torque : force.torque)));
  }
}

void Bullet::add_fixed(const model::Model& model, const system::Collider& collider) {
  shapes_.push_back(make_shape(collider.geometry));
  btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shapes_.back().get());
  info.m_startWorldTransform = transform(collider.X_BS);
  const Coefficients own = coefficients(model, collider.material);
  info.m_friction = real(own.friction);
  info.m_restitution = real(own.restitution);
  fixed_.push_back(std::make_unique<btRigidBody>(info));
  if (elastic_) fixed_.back()->setContactProcessingThreshold(0);
  world_->addRigidBody(fixed_.back().get());
}

void Bullet::add_moving(const model::Model& model, const system::System& system, const system::State& state,
                        std::size_t b, const std::vector<const system::Collider*>& colliders) {
  Vec3 moments;
  const Quat R_BP = principal_axes(system.bodies.inertia[b], moments);
  if (colliders.empty()) throw base::InputError("bullet: found a body without shape, expected one shape or more");

  btCollisionShape* shape = nullptr;
  const Pose X_PB{Vec3::Zero(), R_BP.conjugate()};
  const Pose first = X_PB * colliders[0]->X_BS;
  if (colliders.size() == 1 && first.p.norm() == 0 && first.R.vec().norm() == 0) {
    shapes_.push_back(make_shape(colliders[0]->geometry));
    shape = shapes_.back().get();
  } else {
    auto compound = std::make_unique<btCompoundShape>();
    for (const system::Collider* collider : colliders) {
      shapes_.push_back(make_shape(collider->geometry));
      compound->addChildShape(transform(X_PB * collider->X_BS), shapes_.back().get());
    }
    shape = compound.get();
    shapes_.push_back(std::move(compound));
  }

  btRigidBody::btRigidBodyConstructionInfo info(real(system.bodies.mass[b]), nullptr, shape, vector(moments));
  info.m_startWorldTransform = transform({state.q.x[b], state.q.R[b] * R_BP});
  const Coefficients own = coefficients(model, colliders[0]->material);
  info.m_friction = real(own.friction);
  info.m_restitution = real(own.restitution);
  auto body = std::make_unique<btRigidBody>(info);
  body->setLinearVelocity(vector(model.bodies[b].v_WB));
  body->setAngularVelocity(vector(model.bodies[b].w_WB));
  body->setActivationState(DISABLE_DEACTIVATION);
  body->setUserIndex(static_cast<int>(b));
  if (elastic_) body->setContactProcessingThreshold(0);
  world_->addRigidBody(body.get());
  moving_.push_back(std::move(body));
  R_BP_.push_back(R_BP);
}

void Bullet::read(Motion& motion) const {
  const std::size_t n = moving_.size();
  motion.q.x.resize(n);
  motion.q.R.resize(n);
  motion.v.resize(n);
  motion.w.resize(n);
  for (std::size_t b = 0; b < n; ++b) {
    const btTransform& X = moving_[b]->getWorldTransform();
    const btQuaternion R = X.getRotation();
    motion.q.x[b] = vector(X.getOrigin());
    motion.q.R[b] = Quat(R.w(), R.x(), R.y(), R.z()).normalized() * R_BP_[b].conjugate();
    motion.v[b] = vector(moving_[b]->getLinearVelocity());
    motion.w[b] = vector(moving_[b]->getAngularVelocity());
  }
}

// Points, normals (of B, towards A) and impulses of the step lie in the manifold, as they were when it was solved. A
// positive distance may be used up in the step, a share ERP of a negative one is to be lifted
// (btSequentialImpulseConstraintSolver::setupContactConstraint).
void Bullet::add_touches(btPersistentManifold& manifold, std::vector<Touch>& touches) const {
  const btCollisionObject *a = manifold.getBody0(), *b = manifold.getBody1();
  const double erp = world_->getSolverInfo().m_erp2;
  for (int k = 0; k < manifold.getNumContacts(); ++k) {
    const btManifoldPoint& point = manifold.getContactPoint(k);
    Touch touch;
    touch.a = a->getUserIndex();  // -1, the world, for what does not move
    touch.b = b->getUserIndex();
    touch.p_a = vector(point.getPositionWorldOnA());
    touch.p_b = vector(point.getPositionWorldOnB());
    touch.n = vector(point.m_normalWorldOnB).normalized();
    touch.impulse = point.m_appliedImpulse * touch.n +
                    point.m_appliedImpulseLateral1 * vector(point.m_lateralFrictionDir1) +
                    point.m_appliedImpulseLateral2 * vector(point.m_lateralFrictionDir2);
    touch.mu = point.m_combinedFriction;
    touch.bias = point.getDistance() / dt_ * (point.getDistance() > 0 ? 1 : erp);
    touches.push_back(touch);
  }
}

StepErrors Bullet::check(const Motion& before) {
  std::vector<Touch> touches;
  for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
    add_touches(*dispatcher_.getManifoldByIndexInternal(i), touches);
  }
  Motion after;
  read(after);
  return StepAudit(*system_).judge(touches, before, after, dt_);
}

std::size_t Bullet::contacts() const {
  std::size_t count = 0;
  for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
    count += static_cast<std::size_t>(
        const_cast<btCollisionDispatcher&>(dispatcher_).getManifoldByIndexInternal(i)->getNumContacts());
  }
  return count;
}

}  // namespace

std::unique_ptr<Peer> make_bullet_peer(int iterations, int directions) {
  return std::make_unique<Bullet>(iterations, directions);
}

std::string bullet_version() {
  return fmt::format("Bullet {}.{:02}, {} bits", btGetVersion() / 100, btGetVersion() % 100, 8 * sizeof(btScalar));
}

}  // namespace vinculum::bench
