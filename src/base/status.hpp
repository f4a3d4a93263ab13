// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: Status and Result, the only way in which a failure travels inside the library.
//
// A throw between two collective calls would make one rank leave and the others wait for ever, so a
// failure is a value that can join the next agreement. Exactly two macros hide the plumbing. To make,
// copy or extend a failure never throws: what is missing may be memory, and then it says so.

#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "base/error_codes.hpp"

namespace pcio {

/// One line of an error stack: where, what kind, and a sentence for a person.
struct ErrorFrame {
  const char* function = "";
  const char* file = "";
  unsigned line = 0;
  Major major{};
  Minor minor{};
  std::string text;
};

namespace detail {
/// The frames of a failure for which there was no memory belong to nobody.
struct FramesDeleter {
  void operator()(std::vector<ErrorFrame>* frames) const noexcept;
};
}  // namespace detail

/// Success (no allocation) or a list of frames, innermost first.
///
/// Threads: a value type; distinct objects are independent.
class [[nodiscard]] Status {
 public:
  Status() = default;
  explicit Status(ErrorFrame frame) noexcept;
  Status(const Status& other) noexcept;
  Status& operator=(const Status& other) noexcept {
    if (this != &other) *this = Status(other);
    return *this;
  }
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept = default;
  ~Status() = default;

  [[nodiscard]] bool ok() const noexcept { return !frames_; }
  /// Frames, innermost first; empty on success.
  [[nodiscard]] const std::vector<ErrorFrame>& frames() const;
  /// Text of the innermost frame; empty on success.
  [[nodiscard]] const std::string& message() const;
  /// Adds an outer frame; does nothing on success, nor where there is no memory for it.
  Status&& push(ErrorFrame frame) && noexcept;
  void push(ErrorFrame frame) & noexcept;
  /// Another failure beside this one: its frames come behind. Where there is no memory for them, they don't.
  void join(Status&& other) noexcept;

 private:
  std::unique_ptr<std::vector<ErrorFrame>, detail::FramesDeleter> frames_;
};

/// A value or the Status that explains why there is none.
template <class T>
using Result = tl::expected<T, Status>;

namespace detail {
inline Status&& to_status(Status&& status) { return std::move(status); }
template <class T>
Status to_status(tl::expected<T, Status>&& result) {
  if (result) return Status();
  return std::move(result.error());
}
/// Lets one `return` serve functions that return Status and functions that return Result<T>.
class StatusReturn {
 public:
  explicit StatusReturn(Status status) : status_(std::move(status)) {}
  operator Status() && { return std::move(status_); }  // NOLINT(google-explicit-constructor)
  template <class T>
  operator tl::expected<T, Status>() && {  // NOLINT(google-explicit-constructor)
    return tl::unexpected<Status>(std::move(status_));
  }

 private:
  Status status_;
};
}  // namespace detail

/// A text of which nothing is left where there is no memory to make it.
#define PCIO_TEXT_(what)            \
  __extension__({                   \
    std::string pcio_text_;         \
    try {                           \
      pcio_text_ = (what);          \
    } catch (...) {                 \
      pcio_text_ = "out of memory"; \
    }                               \
    std::move(pcio_text_);          \
  })

/// The frame for this line: PCIO_FRAME(FILE, CANTOPENFILE, "text" + more).
#define PCIO_FRAME(maj, min, what)                                                               \
  ::pcio::ErrorFrame {                                                                           \
    __func__, __FILE__, static_cast<unsigned>(__LINE__), ::pcio::Major::maj, ::pcio::Minor::min, \
        PCIO_TEXT_(what)                                                                         \
  }

/// `return PCIO_ERROR(ARGS, BADVALUE, "...")` in a function that returns Status or Result<T>.
#define PCIO_ERROR(maj, min, what) \
  ::pcio::detail::StatusReturn(::pcio::Status(PCIO_FRAME(maj, min, what)))

#define PCIO_CONCAT_(a, b) a##b
#define PCIO_CONCAT(a, b) PCIO_CONCAT_(a, b)

/// Leaves the function with the failure of `expr` (Status or Result); goes on otherwise.
#define PCIO_TRY(expr)                                                                    \
  do {                                                                                    \
    ::pcio::Status pcio_status_ = ::pcio::detail::to_status(expr);                        \
    if (!pcio_status_.ok()) return ::pcio::detail::StatusReturn(std::move(pcio_status_)); \
  } while (false)

/// `PCIO_ASSIGN(auto x, f())`: x = value of the Result, or leaves with its failure.
#define PCIO_ASSIGN(decl, expr) PCIO_ASSIGN_(PCIO_CONCAT(pcio_result_, __LINE__), decl, expr)
#define PCIO_ASSIGN_(tmp, decl, expr)                                    \
  auto tmp = (expr);                                                     \
  if (!tmp) return ::pcio::detail::StatusReturn(std::move(tmp.error())); \
  decl = std::move(*tmp)

}  // namespace pcio
