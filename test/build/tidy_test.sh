#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# clang-tidy finds nothing in the library, and a planted fault of each kind is found: one for each line of
# checks in .clang-tidy that is kept.
set -u
work=$(mktemp -d "$PCIO_TEST_TMP/tidy.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
bash "$PCIO_SRCDIR/tools/check-tidy" --can || exit $?
(cd "$PCIO_BUILDDIR" && ${MAKE:-make} -s tidy) || exit 1

mkdir -p "$work/src/base"
cp "$PCIO_SRCDIR/.clang-tidy" "$work"
cat >"$work/src/base/faults.hpp" <<'EOF'
int in_header() { return 1; }  // misc-definitions-in-headers
EOF
{ cat <<'EOF'
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "faults.hpp"

struct Name {
  Name(const std::string& text) : text_(text) {}  // google-explicit-constructor
  std::string text_;
};
struct Base {
  virtual int size() const;
  virtual void take();  // cppcoreguidelines-virtual-class-destructor
};
struct Derived : public Base {
  virtual int size() const;  // modernize-use-override
  int more = 0;
};
struct Shape {
  int dims;  // cppcoreguidelines-pro-type-member-init
  std::string name;
};
std::size_t used_after_move(std::string name) {
  std::vector<std::string> all;
  all.push_back(std::move(name));
  return name.size() + all.size();  // bugprone-use-after-move
}
std::uint64_t bytes(std::uint32_t chunks, std::uint32_t size) {
  return chunks * size;  // bugprone-implicit-widening-of-multiplication-result
}
int branches(int n) {
  if (n > 1)
    return 2;
  else
    return 2;  // bugprone-branch-clone
}
std::size_t copies(const std::vector<std::string>& names) {
  std::size_t sum = 0;
  for (const std::string name : names) sum += name.size();  // performance-for-range-copy
  return sum;
}
std::string not_moved(bool first) {
  const std::string text(3, 'a');
  if (first) return "b";
  return text;  // performance-no-automatic-move
}
bool twice(int a, int b) {
  return a == b || a == b;  // misc-redundant-expression
}
void by_pointer() {
  throw new std::runtime_error("a");  // misc-throw-by-value-catch-by-reference
}
void handed_over(std::unique_ptr<int>& a, std::unique_ptr<int>& b) {
  a.reset(b.release());  // misc-uniqueptr-reset-release
}
static int left_out(int used, int unused) { return used; }  // misc-unused-parameters
int later(bool first) {
  int n;  // cppcoreguidelines-init-variables
  if (first) n = left_out(1, 2);
  else n = 2;
  return n;
}
void sliced(Derived& from, Base& to) { to = from; }  // cppcoreguidelines-slicing
bool has(const std::map<int, int>& all, int key) {
  return all.count(key) > 0;  // readability-container-contains
}
int swapped(int rows, int columns);  // readability-inconsistent-declaration-parameter-name
int swapped(int columns, int rows) { return columns - rows; }
Shape shape() {
  Shape made;
  return made;
}
int long_one(int n) {  // readability-function-size
EOF
for i in $(seq 70); do echo "  n += n / $i;"; done
printf '  return n;\n}\n'; } >"$work/src/base/faults.cpp"
bash "$PCIO_SRCDIR/tools/check-tidy" "$work" "$PCIO_CXXSTD" >"$work/found"
status=$?
missed=0 planted=0
for check in $(sed -n 's|.*// \([a-z]*-[a-z-]*\)$|\1|p' "$work"/src/base/faults.?pp | sort -u); do
  planted=$((planted + 1))
  grep -q "\[$check[],]" "$work/found" || { echo "FAIL: not found: $check"; missed=1; }
done
# Each line of checks has a fault of its own.
for kept in $(sed -n '/^Checks/,/^Warn/s/^  \([a-z][a-z*-]*\),\{0,1\}$/\1/p' "$work/.clang-tidy"); do
  grep -q "// ${kept%\*}" "$work"/src/base/faults.?pp || { echo "FAIL: no fault is planted for $kept"; missed=1; }
done
[ $status -eq 1 ] || { echo "FAIL: the planted faults give status $status"; missed=1; }
[ $missed -eq 0 ] || { cat "$work/found"; exit 1; }
echo "$planted kinds of planted faults are found"
