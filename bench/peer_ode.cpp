// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The Open Dynamics Engine: dWorldQuickStep (successive over-relaxation) or dWorldStep (Dantzig's method) with default
// ERP and CFM. Friction is a pyramid whose size follows the normal force (dContactApprox1). What moves
// lies in a hash space whose cells fit the bodies (the defaults suit bodies of a metre); what does not move lies in a
// space of its own, because one hash space for both was seen to miss a ball against a wall in pour_spheres.
#include "step_audit.hpp"

#include <fmt/core.h>
#include <ode/ode.h>
#include <algorithm>
#include <cmath>
#include <deque>

namespace vinculum::bench {

namespace {

constexpr int contacts_per_pair = 16;
constexpr double bounce_threshold = 1e-2;  // m/s: slower impacts do not bounce

void set_quaternion(const Quat& R, dQuaternion out) { out[0] = R.w(), out[1] = R.x(), out[2] = R.y(), out[3] = R.z(); }
Vec3 vector(const dReal* x) { return {x[0], x[1], x[2]}; }

/// ODE's memory is global: opened once, closed at exit.
void open_ode() {
  static const struct Life {
    Life() { dInitODE2(0); }
    ~Life() { dCloseODE(); }
  } life;
}

class Ode final : public Peer {
 public:
  Ode(OdeMethod method, int iterations) : method_(method), iterations_(iterations) { open_ode(); }
  ~Ode() override {
    if (!world_) return;
    dJointGroupDestroy(joints_);
    dSpaceDestroy(moving_);
    dSpaceDestroy(fixed_);
    dWorldDestroy(world_);
  }

  void load(const model::Model& model) override;
  void step(double dt) override;
  void read(Motion& motion) const override;
  std::size_t contacts() const override { return contact_count_; }
  void keep_impulses(bool on) override { keep_ = on; }
  StepErrors check(const Motion& before) override;

 private:
  // A contact as it was given to ODE, where ODE leaves its force, and the share of overlap it is to lift.
  struct Kept {
    Touch touch;
    dJointFeedback feedback;
  };

  dGeomID make_geom(const system::Collider& collider);
  void touch(dGeomID a, dGeomID b);
  void apply_forces(double t);

  OdeMethod method_;
  int iterations_;
  double t_ = 0;
  std::unique_ptr<system::System> system_;
  dWorldID world_ = nullptr;
  dSpaceID moving_ = nullptr, fixed_ = nullptr;
  dJointGroupID joints_ = nullptr;
  std::vector<dBodyID> bodies_;
  std::size_t contact_count_ = 0;
  bool keep_ = false;
  double dt_ = 0;
  std::deque<Kept> kept_;  // ODE holds pointers into it
};

dGeomID Ode::make_geom(const system::Collider& collider) {
  const shapes::Shape& s = collider.geometry;
  const dSpaceID space = collider.body == system::world ? fixed_ : moving_;
  using shapes::Kind;
  switch (s.kind) {
    case Kind::sphere:
      return dCreateSphere(space, s.radius);
    case Kind::box:
      return dCreateBox(space, 2 * s.half_extents.x(), 2 * s.half_extents.y(), 2 * s.half_extents.z());
    case Kind::capsule:
      return dCreateCapsule(space, s.radius, 2 * s.half_length);
    case Kind::cylinder:
      return dCreateCylinder(space, s.radius, 2 * s.half_length);
    case Kind::plane: {
      const Vec3 n = collider.X_BS.R * Vec3::UnitZ();
      return dCreatePlane(space, n.x(), n.y(), n.z(), n.dot(collider.X_BS.p));
    }
    default:
      throw base::InputError("ode: found a shape that this bench does not translate, expected a simple one");
  }
}

void Ode::load(const model::Model& model) {
  if (!model.rods.empty() || !model.no_contact.empty()) {
    throw base::InputError("ode: found rods or excluded pairs, expected bodies, forces and contacts only");
  }
  system_ = std::make_unique<system::System>(model);
  const system::State state = make_initial_state(model, *system_);
  world_ = dWorldCreate();
  dWorldSetGravity(world_, model.gravity.x(), model.gravity.y(), model.gravity.z());
  if (iterations_ > 0) dWorldSetQuickStepNumIterations(world_, iterations_);
  fixed_ = dSimpleSpaceCreate(nullptr);
  moving_ = dHashSpaceCreate(nullptr);
  const int level = static_cast<int>(std::ceil(std::log2(2 * system_->length_scale)));
  dHashSpaceSetLevels(moving_, level - 1, level + 6);
  joints_ = dJointGroupCreate(0);

  for (std::size_t b = 0; b < system_->body_count(); ++b) {
    const dBodyID body = dBodyCreate(world_);
    const auto& I = system_->bodies.inertia[b];
    dMass mass;
    dMassSetParameters(&mass, system_->bodies.mass[b], 0, 0, 0, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    dBodySetMass(body, &mass);
    dQuaternion R;
    set_quaternion(state.q.R[b], R);
    dBodySetPosition(body, state.q.x[b].x(), state.q.x[b].y(), state.q.x[b].z());
    dBodySetQuaternion(body, R);
    const model::Body& start = model.bodies[b];
    dBodySetLinearVel(body, start.v_WB.x(), start.v_WB.y(), start.v_WB.z());
    dBodySetAngularVel(body, start.w_WB.x(), start.w_WB.y(), start.w_WB.z());
    bodies_.push_back(body);
  }
  for (const system::Collider& collider : system_->shapes) {
    const dGeomID geom = make_geom(collider);
    dGeomSetData(geom, const_cast<system::Collider*>(&collider));
    const Pose& X = collider.X_BS;
    dQuaternion R;
    set_quaternion(X.R, R);
    if (collider.body != system::world) {
      dGeomSetBody(geom, bodies_[static_cast<std::size_t>(collider.body)]);
      if (X.p.norm() > 0) dGeomSetOffsetPosition(geom, X.p.x(), X.p.y(), X.p.z());
      if (X.R.vec().norm() > 0) dGeomSetOffsetQuaternion(geom, R);
    } else if (collider.geometry.kind != shapes::Kind::plane) {
      dGeomSetPosition(geom, X.p.x(), X.p.y(), X.p.z());
      dGeomSetQuaternion(geom, R);
    }
  }
}

void Ode::touch(dGeomID a, dGeomID b) {
  const auto* shape_a = static_cast<const system::Collider*>(dGeomGetData(a));
  const auto* shape_b = static_cast<const system::Collider*>(dGeomGetData(b));
  if (shape_a->body == shape_b->body) return;
  dContact contacts[contacts_per_pair];
  const int count = dCollide(a, b, contacts_per_pair, &contacts[0].geom, sizeof(dContact));
  const model::Pair& pair = system_->pair(shape_a->material, shape_b->material);
  for (int i = 0; i < count; ++i) {
    dSurfaceParameters& surface = contacts[i].surface;
    surface = {};
    surface.mode = dContactApprox1;
    surface.mu = pair.mu;
    if (pair.e_N > 0) {
      surface.mode |= dContactBounce;
      surface.bounce = pair.e_N;
      surface.bounce_vel = bounce_threshold;
    }
    const dJointID joint = dJointCreateContact(world_, joints_, &contacts[i]);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    if (!keep_) continue;
    Kept& kept = kept_.emplace_back();
    kept.touch.a = shape_a->body;
    kept.touch.b = shape_b->body;
    kept.touch.p_a = kept.touch.p_b = vector(contacts[i].geom.pos);
    kept.touch.n = vector(contacts[i].geom.normal);
    kept.touch.mu = pair.mu;
    kept.touch.bias = -dWorldGetERP(world_) * contacts[i].geom.depth / dt_;
    dJointSetFeedback(joint, &kept.feedback);
  }
  contact_count_ += static_cast<std::size_t>(count);
}

void Ode::apply_forces(double t) {
  for (const system::Force& force : system_->forces) {
    if (t < force.from || t >= force.to) continue;
    const dBodyID body = bodies_[static_cast<std::size_t>(force.body)];
    const dReal* now = dBodyGetQuaternion(body);
    const Quat R(now[0], now[1], now[2], now[3]);
    const Vec3 f = force.body_axes ? R * force.force : force.force;
    const Vec3 torque = (force.body_axes ? R * force.torque : force.torque) + (R * force.point).cross(f);
    dBodyAddForce(body, f.x(), f.y(), f.z());
    dBodyAddTorque(body, torque.x(), torque.y(), torque.z());
  }
}

void Ode::step(double dt) {
  apply_forces(t_ + 0.5 * dt);
  t_ += dt;
  dt_ = dt;
  contact_count_ = 0;
  kept_.clear();
  dJointGroupEmpty(joints_);
  const auto near = [](void* self, dGeomID a, dGeomID b) { static_cast<Ode*>(self)->touch(a, b); };
  dSpaceCollide(moving_, this, near);
  dSpaceCollide2(reinterpret_cast<dGeomID>(fixed_), reinterpret_cast<dGeomID>(moving_), this, near);
  if (method_ == OdeMethod::quick_step) {
    dWorldQuickStep(world_, dt);
  } else {
    dWorldStep(world_, dt);
  }
}

// The force on the first body of a joint; where that is the world ODE swaps the two and keeps the sign of the contact.
StepErrors Ode::check(const Motion& before) {
  std::vector<Touch> touches;
  for (const Kept& kept : kept_) {
    touches.push_back(kept.touch);
    Touch& touch = touches.back();
    touch.impulse =
        touch.a == system::world ? Vec3(-dt_ * vector(kept.feedback.f1)) : Vec3(dt_ * vector(kept.feedback.f1));
  }
  Motion after;
  read(after);
  return StepAudit(*system_).judge(touches, before, after, dt_);
}

void Ode::read(Motion& motion) const {
  const std::size_t n = bodies_.size();
  motion.q.x.resize(n);
  motion.q.R.resize(n);
  motion.v.resize(n);
  motion.w.resize(n);
  for (std::size_t b = 0; b < n; ++b) {
    const dReal* R = dBodyGetQuaternion(bodies_[b]);
    motion.q.x[b] = vector(dBodyGetPosition(bodies_[b]));
    motion.q.R[b] = Quat(R[0], R[1], R[2], R[3]).normalized();
    motion.v[b] = vector(dBodyGetLinearVel(bodies_[b]));
    motion.w[b] = vector(dBodyGetAngularVel(bodies_[b]));
  }
}

}  // namespace

std::unique_ptr<Peer> make_ode_peer(OdeMethod method, int iterations) {
  return std::make_unique<Ode>(method, iterations);
}

std::string ode_version() { return fmt::format("ODE {}, {} bits", VINCULUM_BENCH_ODE, 8 * sizeof(dReal)); }

}  // namespace vinculum::bench
