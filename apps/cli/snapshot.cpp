// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/snapshot.hpp"

#include "cli/depth_order.hpp"
#include "cli/solids.hpp"
#include "cli/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace vinculum::cli {

namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr Colour paper{1, 1, 1}, night{0.07, 0.1, 0.16};
constexpr double pi = 3.14159265358979323846;

std::string points(const std::vector<Vec2>& loop) {
  std::string out;
  for (const auto& p : loop) out += fmt::format("{}{},{}", out.empty() ? "" : " ", number(p.x()), number(p.y()));
  return out;
}

struct Painter {
  const Scene& scene;
  const View& view;
  Vec3 light;                 // towards it
  std::vector<Solid> solids;  // empty for planes
  Vec3 middle = Vec3::Zero();
  double extent = 1;
  Out out;
  int clips = 0;  // numbers of clip paths

  Colour shade(int colour, const Vec3& normal) const;
  void find_extent();
  void draw_planes();
  void draw_plane(const SceneShape& plane);
  void draw_shadows(const Vec3& origin, const Vec3& normal, std::size_t self, const std::vector<Vec2>& within);
  std::vector<Vec2> project(const Solid& solid, const Solid::Face& face) const;
  void draw_solid(std::size_t i);
  void draw_ball(std::size_t i);
  void define_gradients();
  void draw_arrows();
};

Colour Painter::shade(int colour, const Vec3& normal) const {
  const double lit = std::max(0.0, normal.dot(light));
  const double sky = 0.5 * (1 + normal.z());
  const double brightness = 0.34 + 0.5 * lit + 0.2 * sky;  // up to about 1
  const Colour base = mix(palette(colour), paper, 0.16);
  return brightness < 0.8 ? mix(night, base, 0.25 + 0.75 * brightness / 0.8)
                          : mix(base, paper, std::min(0.55, 1.5 * (brightness - 0.8)));
}

void Painter::find_extent() {
  constexpr double big = std::numeric_limits<double>::infinity();
  Vec3 low(big, big, big), high = -low;
  for (const bool movers : {true, false}) {
    for (std::size_t i = 0; i < solids.size(); ++i) {
      if (solids[i].vertices.empty() || (movers && scene.shapes[i].colour < 0)) continue;
      const Vec3 size = Vec3::Constant(solids[i].size);
      low = low.cwiseMin(solids[i].centre - size);
      high = high.cwiseMax(solids[i].centre + size);
    }
    if (low.x() <= high.x()) break;
  }
  if (!(low.x() <= high.x())) return;
  middle = 0.5 * (low + high);
  extent = 0.5 * (high - low).norm();
}

// A plane is shown as a square patch with a grid around the scene.
void Painter::draw_plane(const SceneShape& plane) {
  const Vec3 normal = plane.X_WS.R * Vec3::UnitZ();
  const Pose inverse = plane.X_WS.inverse();
  const Vec3 local = inverse * middle;
  const double decade = std::pow(10.0, std::floor(std::log10(extent) + 1e-9));
  const double cell = extent > 4 * decade ? decade : 0.5 * decade;
  const double reach = std::ceil(2.2 * extent / cell) * cell;
  const double x0 = std::round(local.x() / cell) * cell, y0 = std::round(local.y() / cell) * cell;
  const auto at = [&](double x, double y) { return plane.X_WS * Vec3(x0 + x, y0 + y, 0); };
  const auto polygon = clip_near({at(-reach, -reach), at(reach, -reach), at(reach, reach), at(-reach, reach)}, view);
  if (polygon.size() < 3) return;
  std::vector<Vec2> outline;
  for (const auto& x : polygon) outline.push_back(view.at(x));
  const bool front = view.faces(normal, plane.X_WS.p);
  fmt::format_to(out, "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>\n", points(outline), "#f3f5f7",
                 front ? "1" : "0.3");
  fmt::format_to(out, "<path fill=\"none\" stroke=\"#d5dbe1\" stroke-width=\"1\" d=\"");
  for (double k = -reach; k <= reach + 0.5 * cell; k += cell) {
    for (const bool along_x : {true, false}) {
      const auto segment = clip_near(
          along_x ? std::vector{at(-reach, k), at(reach, k)} : std::vector{at(k, -reach), at(k, reach)}, view);
      if (segment.size() < 2) continue;
      const Vec2 a = view.at(segment[0]), b = view.at(segment[1]);
      fmt::format_to(out, "M{} {}L{} {}", number(a.x()), number(a.y()), number(b.x()), number(b.y()));
    }
  }
  fmt::format_to(out, "\"/>\n");
  if (front) draw_shadows(plane.X_WS.p, normal, solids.size(), outline);
}

// The shadow of a convex solid is the convex hull of the shadows of its vertices. All shadows on a face are one group
// with one opacity, so that overlapping ones do not add up. `self` is the solid that the face belongs to.
void Painter::draw_shadows(const Vec3& origin, const Vec3& normal, std::size_t self, const std::vector<Vec2>& within) {
  const double slope = normal.dot(light);
  if (slope < 0.1) return;
  fmt::format_to(out, "<clipPath id=\"face{0}\"><polygon points=\"{1}\"/></clipPath>\n<g clip-path=\"url(#face{0})\">",
                 clips, points(within));
  fmt::format_to(out, "<g fill=\"#1b2430\" opacity=\"0.17\">\n");
  ++clips;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const auto& s = solids[i];
    if (i == self || s.vertices.empty() || normal.dot(s.centre - origin) < 0) continue;
    std::vector<Vec2> shadow;
    const auto cast = [&](const Vec3& x) {
      const Vec3 y = x - light * (std::max(normal.dot(x - origin), 0.0) / slope);
      if (view.sees(y)) shadow.push_back(view.at(y));
    };
    if (s.faces.empty()) {  // the shadow of a ball is that of its rim as the light sees it
      const Vec3 e1 = algebra::orthogonal_to(light), e2 = light.cross(e1);
      for (int k = 0; k < 36; ++k)
        cast(s.centre + s.radius * (std::cos(k * pi / 18) * e1 + std::sin(k * pi / 18) * e2));
    } else {
      for (const auto& x : s.vertices) cast(x);
    }
    if (shadow.size() > 2) fmt::format_to(out, "<polygon points=\"{}\"/>\n", points(convex_hull(shadow)));
  }
  fmt::format_to(out, "</g></g>\n");
}

void Painter::draw_planes() {
  for (const auto& shape : scene.shapes) {
    if (shape.shape.kind == shapes::Kind::plane) draw_plane(shape);
  }
}

// A convex solid hides its own back: faces turned to the eye never overlap each other. Many small faces of a curved
// surface are drawn without smoothing of their borders, which would show as seams, over a smooth silhouette.
void Painter::draw_solid(std::size_t i) {
  const Solid& s = solids[i];
  const int colour = scene.shapes[i].colour;
  const std::string outline = to_hex(mix(shade(colour, -light), night, 0.3));
  std::vector<Vec2> silhouette;
  if (s.smooth) {
    for (const auto& x : s.vertices) silhouette.push_back(view.at(x));
    silhouette = convex_hull(silhouette);
    fmt::format_to(out, "<g shape-rendering=\"crispEdges\">\n");
  }
  for (const auto& face : s.faces) {
    if (!view.faces(face.normal, s.vertices[static_cast<std::size_t>(face.loop[0])])) continue;
    const auto loop = project(s, face);
    if (loop.size() < 3) continue;
    const Colour fill = shade(colour, face.normal);
    fmt::format_to(out, "<polygon points=\"{}\" fill=\"{}\"", points(loop), to_hex(fill));
    if (!s.smooth) fmt::format_to(out, " stroke=\"{}\" stroke-width=\"0.8\"", to_hex(mix(fill, night, 0.45)));
    fmt::format_to(out, "/>\n");
    if (colour < 0 && !s.smooth && face.normal.z() > 0.7)
      draw_shadows(s.vertices[static_cast<std::size_t>(face.loop[0])], face.normal, i, loop);
  }
  if (!s.smooth) return;
  fmt::format_to(out, "</g>\n<polygon points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"/>\n",
                 points(silhouette), outline);
  for (const auto& face : s.faces) {  // rims
    if (face.loop.size() <= 4 || !view.faces(face.normal, s.vertices[static_cast<std::size_t>(face.loop[0])])) continue;
    fmt::format_to(out, "<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.8\"/>\n",
                   points(project(s, face)), to_hex(shade(colour, face.normal)), outline);
  }
}

std::vector<Vec2> Painter::project(const Solid& s, const Solid::Face& face) const {
  std::vector<Vec3> loop;
  for (const int k : face.loop) loop.push_back(s.vertices[static_cast<std::size_t>(k)]);
  std::vector<Vec2> out_loop;
  for (const auto& x : clip_near(loop, view)) out_loop.push_back(view.at(x));
  return out_loop;
}

// Seen from not too near, the outline of a ball is close to a circle.
void Painter::draw_ball(std::size_t i) {
  const Solid& s = solids[i];
  const Vec2 p = view.at(s.centre);
  const double distance = view.depth(s.centre);
  double r = s.radius * view.scale(s.centre);
  if (!view.orthographic() && distance > s.radius) r *= distance / std::sqrt(distance * distance - s.radius * s.radius);
  const int colour = scene.shapes[i].colour;
  const int gradient = colour < 0 ? palette_size : colour % palette_size;
  fmt::format_to(out,
                 "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"url(#ball{})\" stroke=\"{}\" stroke-width=\"0.7\"/>\n",
                 number(p.x()), number(p.y()), number(r), gradient, to_hex(mix(shade(colour, -light), night, 0.3)));
}

void Painter::define_gradients() {
  fmt::format_to(out, "<defs>\n");
  const double fx = 0.5 + 0.45 * view.right().dot(light), fy = 0.5 - 0.45 * view.up().dot(light);
  for (int k = 0; k <= palette_size; ++k) {
    const int colour = k == palette_size ? -1 : k;
    const bool used = std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const SceneShape& s) {
      return s.shape.kind == shapes::Kind::sphere && (s.colour < 0 ? -1 : s.colour % palette_size) == colour;
    });
    if (!used) continue;
    const Vec3 rim = (view.right() - view.up()).normalized();
    fmt::format_to(out, "<radialGradient id=\"ball{}\" cx=\"{:.3f}\" cy=\"{:.3f}\" r=\"0.85\">", k, fx, fy);
    const std::array<std::pair<int, Colour>, 4> stops{{{0, mix(shade(colour, light), paper, 0.35)},
                                                       {35, shade(colour, light)},
                                                       {70, shade(colour, (light + 1.6 * rim).normalized())},
                                                       {100, shade(colour, (rim - 0.6 * light).normalized())}}};
    for (const auto& [at, c] : stops) fmt::format_to(out, "<stop offset=\"{}%\" stop-color=\"{}\"/>", at, to_hex(c));
    fmt::format_to(out, "</radialGradient>\n");
  }
  fmt::format_to(out, "</defs>\n");
}

void Painter::draw_arrows() {
  double longest = 0;
  for (const auto& a : scene.arrows) longest = std::max(longest, a.vector.norm());
  if (longest == 0) return;
  // Many arrows are shorter ones, or they would hide the scene.
  const double metres = 0.6 * extent / std::pow(static_cast<double>(scene.arrows.size()), 0.22) / longest;
  const double width = std::clamp(60.0 / std::sqrt(static_cast<double>(scene.arrows.size())), 1.0, 2.6);
  fmt::format_to(out, "<g stroke=\"#b3123f\" fill=\"#b3123f\" stroke-width=\"{}\" stroke-linecap=\"round\">\n",
                 number(width));
  for (const auto& a : scene.arrows) {
    const Vec3 tip = a.point + metres * a.vector;
    if (!view.sees(a.point) || !view.sees(tip)) continue;
    const Vec2 p = view.at(a.point), q = view.at(tip);
    const double length = (q - p).norm();
    if (length < 1) continue;
    const Vec2 along = (q - p) / length, across(-along.y(), along.x());
    const double head = std::min(3.2 * width + 3, 0.6 * length);
    const Vec2 base = q - head * along;
    fmt::format_to(out, "<path d=\"M{} {}L{} {}\"/><polygon stroke=\"none\" points=\"{}\"/>\n", number(p.x()),
                   number(p.y()), number(base.x()), number(base.y()),
                   points({q, base + 0.42 * head * across, base - 0.42 * head * across}));
  }
  fmt::format_to(out, "</g>\n");
}

}  // namespace

std::string scene_svg(const Scene& scene) {
  const View view(scene.camera ? *scene.camera : make_camera(scene), scene.width, scene.height);
  std::string svg;
  Out out(svg);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                 "font-family=\"{2}\" "
                 "stroke-linejoin=\"round\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
                 scene.width, scene.height, font_family);
  // From above, over the left shoulder.
  const Vec3 light = (Vec3(0, 0, 1.25) - 0.75 * view.right() - 0.55 * view.forward()).normalized();
  Painter painter{scene, view, light, {}, Vec3::Zero(), 1, out};
  for (const auto& shape : scene.shapes) painter.solids.push_back(make_solid(shape.shape, shape.X_WS));
  painter.find_extent();
  painter.define_gradients();
  painter.draw_planes();
  for (const auto i : depth_order(painter.solids, view)) {
    if (painter.solids[i].faces.empty()) {
      painter.draw_ball(i);
    } else {
      painter.draw_solid(i);
    }
  }
  painter.draw_arrows();
  if (!scene.title.empty()) {
    fmt::format_to(out, "<text x=\"24\" y=\"36\" font-size=\"19\" font-weight=\"600\" fill=\"#1f2730\">{}</text>\n",
                   escape(scene.title));
  }
  svg += "</svg>\n";
  return svg;
}

}  // namespace vinculum::cli
