// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: the parser of data transforms: recursive descent with bounded depth, writing the
// steps in postfix order and combining constants on the way.

#include <algorithm>
#include <charconv>
#include <limits>

#include "type/data_transform.hpp"

namespace pcio {

namespace {

using detail::TransformConstant;
using detail::TransformStep;

// Not those of <cctype>: they depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

TransformConstant combined_real(char op, double a, double b) {
  double r = op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : a / b;
  return {false, 0, r};
}

/// 64-bit arithmetic that wraps; `b` is not 0 in a division.
TransformConstant combined_integer(char op, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  std::uint64_t r = op == '+' ? x + y : op == '-' ? x - y : x * y;
  if (op == '/') r = b == -1 ? 0 - x : static_cast<std::uint64_t>(a / b);
  return {true, static_cast<std::int64_t>(r), 0.0};
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Status run() {
    PCIO_TRY(sum(0));
    skip_spaces();
    return at_ < text_.size() ? wrong(text_[at_] == ')' ? "this parenthesis was never opened"
                                                        : "an operator is missing")
                              : Status();
  }

  std::vector<TransformStep> steps;
  unsigned deepest = 0;

 private:
  [[nodiscard]] Status wrong(const char* what) const {
    return PCIO_ERROR(ARGS, BADVALUE,
                      "data transform, character " + std::to_string(at_ + 1) + ": " + what);
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  /// The next character that is no space; 0 at the end (a 0 in the text is in no rule).
  char peek() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  /// Both levels of operators: `next` is what stands between them.
  template <class Next>
  Status chain(char first, char second, Next next) {
    PCIO_TRY(next());
    for (char op = peek(); op == first || op == second; op = peek()) {
      ++at_;
      PCIO_TRY(next());
      PCIO_TRY(add_operator(op));
    }
    return Status();
  }

  Status sum(unsigned depth) {
    if (depth > DataTransform::kMaxDepth) return wrong("parentheses are nested too deeply");
    return chain('+', '-', [&] { return product(depth); });
  }

  Status product(unsigned depth) {
    return chain('*', '/', [&] { return signed_factor(depth); });
  }

  /// A sign is an operation on 0, as libhdf5 has it: the result goes through double.
  Status signed_factor(unsigned depth) {
    const char sign = peek();
    if (sign != '+' && sign != '-') return factor(depth);
    ++at_;
    add_constant({true, 0, 0.0});
    PCIO_TRY(factor(depth));
    return add_operator(sign);
  }

  Status factor(unsigned depth) {
    const char c = peek();
    if (c == '(') {
      ++at_;
      PCIO_TRY(sum(depth + 1));
      if (peek() != ')') return wrong("a closing parenthesis is missing");
      ++at_;
      return Status();
    }
    if (is_letter(c)) return variable();
    if (is_digit(c) || c == '.') return number();
    return wrong(at_ == text_.size() ? "the expression ends too early"
                                     : "a number, a variable or a parenthesis is missing");
  }

  Status variable() {
    ++at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ < text_.size() && is_letter(text_[at_]))
      return wrong("a variable has one letter, perhaps with digits after it");
    push({TransformStep::Kind::kElement, 0, {}});
    return Status();
  }

  std::size_t digits() {
    const std::size_t began = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ - began;
  }

  bool take(char a, char b) {
    if (at_ == text_.size() || (text_[at_] != a && text_[at_] != b)) return false;
    ++at_;
    return true;
  }

  Status number() {
    const std::size_t began = at_;
    bool integral = true;
    std::size_t count = digits();
    if (take('.', '.')) {
      integral = false;
      count += digits();
    }
    if (count == 0) return wrong("a number has no digits");
    if (take('e', 'E')) {
      integral = false;
      take('+', '-');
      if (digits() == 0) return wrong("an exponent has no digits");
    }
    if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.'))
      return wrong("this cannot follow a number");
    return add_number(text_.substr(began, at_ - began), integral);
  }

  /// Integers beyond 64 bits are the largest one; other numbers must fit a double.
  Status add_number(std::string_view digits, bool integral) {
    TransformConstant c{integral, std::numeric_limits<std::int64_t>::max(), 0.0};
    const char* end = digits.data() + digits.size();
    if (integral)
      std::from_chars(digits.data(), end, c.integer);
    else if (std::from_chars(digits.data(), end, c.real).ec != std::errc())
      return wrong("the number before this does not fit a double");
    add_constant(c);
    return Status();
  }

  void add_constant(const TransformConstant& c) { push({TransformStep::Kind::kConstant, 0, c}); }

  void push(const TransformStep& step) {
    steps.push_back(step);
    deepest = std::max(deepest, ++held_);
  }

  Status add_operator(char op) {
    --held_;
    TransformStep &a = steps[steps.size() - 2], &b = steps.back();
    if (b.kind != TransformStep::Kind::kConstant || a.kind != TransformStep::Kind::kConstant) {
      steps.push_back({TransformStep::Kind::kOperator, op, {}});
      return Status();
    }
    // Both operands are the last two steps: a constant is always one step.
    const bool integral = a.constant.integral && b.constant.integral;
    if (integral && op == '/' && b.constant.integer == 0)
      return wrong("the integer before this is divided by zero");
    a.constant = integral ? combined_integer(op, a.constant.integer, b.constant.integer)
                          : combined_real(op, a.constant.value(), b.constant.value());
    steps.pop_back();
    return Status();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned held_ = 0;
};

}  // namespace

Result<DataTransform> DataTransform::parse(std::string_view text) {
  if (text.size() > kMaxLength) return PCIO_ERROR(ARGS, BADVALUE, "the data transform is too long");
  Parser parser(text);
  PCIO_TRY(parser.run());
  DataTransform result;
  result.steps_ = std::move(parser.steps);
  result.stack_ = parser.deepest;
  return result;
}

}  // namespace pcio
