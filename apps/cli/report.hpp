// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How results are shown: text for people, JSON with stable field names for programs.
#pragma once

#include "cli/command.hpp"
#include "cli/simulation.hpp"
#include "vinculum/audit/audit.hpp"

namespace vinculum::cli {

Summary simulate_with_progress(const Options& options, bool quiet);
audit::Result audit_with_progress(const std::string& path, double tol, bool quiet);

nlohmann::json to_json(const Summary& summary);
nlohmann::json to_json(const audit::Result& result);
void print_summary(const Summary& summary);
void print_audit(const audit::Result& result);
int exit_status(audit::Verdict verdict);

}  // namespace vinculum::cli
