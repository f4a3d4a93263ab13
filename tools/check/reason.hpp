// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Why a call failed, and whether the file is to blame. Room: tools, public headers only.

#ifndef PCIO_TOOLS_CHECK_REASON_HPP
#define PCIO_TOOLS_CHECK_REASON_HPP

#include "failure.hpp"
#include "findings.hpp"

namespace check {

/// Of the last call that failed.
struct Reason {
  std::string text;
  bool is_missing =
      false;  ///< what the file has is not supported, or a filter isn't there: nothing is wrong
};

inline Reason take_reason() {
  Reason reason;
  const auto look = [](unsigned n, const H5E_error2_t* error, void* out) -> herr_t {
    if (n == 0)
      static_cast<Reason*>(out)->is_missing =
          error->min_num == H5E_UNSUPPORTED || error->min_num == H5E_NOFILTER;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &reason);
  reason.text = tools::last_reason();
  return reason;
}

/// Adds what the last call failed with.
inline void tell_reason(Findings* found, const char* kind, const std::string& where,
                        const std::string& before = "") {
  const Reason reason = take_reason();
  found->add({reason.is_missing ? Weight::kNote : Weight::kWrong, kind, where, before + reason.text,
              0, 0});
}

}  // namespace check

#endif
