// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <array>
#include <cstdio>
#include <string>

namespace vinculum::test {

struct Ended {
  int status;
  std::string out;  // standard output and standard error together
};

/// Runs the program through the shell.
inline Ended run_program(const std::string& arguments) {
  std::FILE* pipe = popen((std::string(VINCULUM_PROGRAM) + " " + arguments + " 2>&1").c_str(), "r");
  std::string out;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) out.append(buffer.data(), n);
  return {WEXITSTATUS(pclose(pipe)), out};
}

}  // namespace vinculum::test
