// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// [[frame]]: where it is at the start, and what it may not be.
#include "model/support.hpp"

#include <cmath>

namespace vinculum::model {
namespace {

const std::string pendulum = R"scene([lagrangian]
coordinates = ["phi"]
parameters = { l = 2 }
T = "phi'^2"
q = [0.5]
u = [3]
)scene";
const std::string bob = R"scene([[frame]]
name = "bob"
position = ["l*sin(phi)", 0, "-l*cos(phi)"]
axis = [0, -2, 0]
angle = "phi"
)scene";

TEST(SceneFrames, start_where_their_coordinates_put_them) {
  const Model model = parse_scene(pendulum + bob, "t.toml");
  ASSERT_EQ(model.bodies.size(), 1u);
  const Body& body = model.bodies[0];
  EXPECT_TRUE(body.carried());
  const double s = std::sin(0.5), c = std::cos(0.5);
  EXPECT_LT((body.X_WB.p - Vec3(2 * s, 0, -2 * c)).norm(), 1e-15);
  EXPECT_LT((body.v_WB - 3 * Vec3(2 * c, 0, 2 * s)).norm(), 1e-14);
  EXPECT_LT((body.w_WB - Vec3(0, -3, 0)).norm(), 1e-15);
  EXPECT_LT((body.X_WB.R * Vec3(0, 0, -1) - Vec3(s, 0, -c)).norm(), 1e-15);
}

TEST(SceneFrames, that_are_none_are_refused) {
  EXPECT_EQ(error_of(bob),
            "t.toml:1:1: frame: found a scene without [lagrangian], expected coordinates that carry the frame");
  EXPECT_EQ(error_of(pendulum + "[[frame]]\nname = \"f\"\nposition = [\"phi\", 0]\n"),
            "t.toml:9:12: frame[0].position: found an array of 2, expected an array of 3 expressions (m)");
  EXPECT_EQ(error_of(pendulum + "[[frame]]\nname = \"f\"\nposition = [\"phj\", 0, 0]\n").substr(0, 36),
            "t.toml:9:14: frame[0].position[0]: f");
  EXPECT_EQ(
      error_of(pendulum + bob + "[[joint]]\nname = \"j\"\ntype = \"revolute\"\nchild = \"bob\"\n"),
      "t.toml:15:9: joint[0].child: found a frame, \"bob\", expected bodies (a [[connect]] or [[weld]] ties them to a "
      "frame)");
  EXPECT_EQ(
      error_of(pendulum + bob + "[[force]]\nbody = \"bob\"\nforce = [1, 0, 0]\n"),
      "t.toml:13:8: force[0].body: found a frame, expected a body (forces on frames are `forces` of [lagrangian])");
  EXPECT_EQ(error_of(pendulum + "[[frame]]\nname = \"f\"\nposition = [\"phi\", 0, 0]\naxis = [1, 0, 0]\n"),
            "t.toml:10:8: frame[0].axis: found an axis without angle, expected both or none");
}

}  // namespace
}  // namespace vinculum::model
