// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/base/error.hpp"
#include "vinculum/interchange/interchange.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <string>

namespace vinculum::interchange {

/// A folder of its own for the files of one test.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              (std::string("vinculum_") + testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
               std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }
  model::Model read(const std::string& name, const std::string& text, const UrdfOptions& options = {}) const {
    return read_model(write(name, text), options);
  }
  /// The message without the folder.
  std::string error_of(const std::string& name, const std::string& text) const {
    try {
      read(name, text);
    } catch (const base::InputError& error) {
      const std::string line = error.what(), folder = path_.string() + "/";
      return line.starts_with(folder) ? line.substr(folder.size()) : line;
    }
    return "no error";
  }

 private:
  std::filesystem::path path_;
};

/// The folder shared/data above the checkout; empty when there is none.
inline std::filesystem::path shared_data() {
  for (std::filesystem::path folder = VINCULUM_SOURCE_DIR;; folder = folder.parent_path()) {
    if (std::filesystem::is_directory(folder / "shared" / "data")) return folder / "shared" / "data";
    if (folder == folder.parent_path()) return {};
  }
}

inline const model::Joint& joint_named(const model::Model& model, const std::string& name) {
  for (const model::Joint& joint : model.joints) {
    if (joint.name == name) return joint;
  }
  throw std::logic_error("no joint " + name);
}

inline int count_of(const model::Model& model, const std::string& notice) {
  for (const model::Notice& n : model.notices) {
    if (n.what == notice) return n.count;
  }
  return 0;
}

}  // namespace vinculum::interchange
