#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# tools/check-layers and tools/check-names pass on the tree and fail on each kind of planted include and
# of a name that is defined twice.
set -u
work=$(mktemp -d "$PCIO_TEST_TMP/layers.XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

verdict() {
  if [ "$1" = "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $3"; fi
}

"$PCIO_SRCDIR/tools/check-layers" "$PCIO_SRCDIR"
verdict $? 0 "the tree itself"

# planted EXPECTED FILE INCLUDE
planted() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/$(dirname "$2")"
  printf '#include %s\n' "$3" > "$work/tree/$2"
  "$PCIO_SRCDIR/tools/check-layers" "$work/tree" >/dev/null
  verdict $? "$1" "$3 in $2"
}
# The script reports through xargs, whose status for a failing command is 123.
planted 123 src/plan/a.cpp '"object/dataset.hpp"'
planted 123 src/base/a.hpp '"space/dims.hpp"'
planted 123 src/space/a.hpp '"type/model.hpp"'
planted 123 src/plan/a.cpp '"format/superblock.hpp"'
planted 123 src/driver/a.cpp '"lib/api_entry.hpp"'
planted 123 src/format/a.cpp '<mpi.h>'
planted 123 src/filter/a.cpp '<fstream>'
planted 123 src/format/a.cpp '"filter/pipeline.hpp"'
planted 0 src/storage/space/a.cpp '"filter/pipeline.hpp"'
planted 123 src/storage/a.cpp '"base/status.hpp"'
planted 123 src/storage/space/a.cpp '"storage/bytes/file_bytes.hpp"'
planted 123 src/storage/gate/a.cpp '"storage/objects/object_table.hpp"'
planted 123 src/storage/file/a.cpp '"storage/commit/commit.hpp"'
planted 123 src/storage/index/btree1/a.cpp '"storage/index/btree2/node.hpp"'
planted 123 src/storage/index/newkind/a.cpp '"storage/index/btree2/node.hpp"'
planted 123 src/storage/index/newkind/a.cpp '"storage/index/table.hpp"'
planted 0 src/storage/index/newkind/a.cpp '"storage/index/model/chunk_index.hpp"'
planted 123 src/storage/index/model/a.cpp '"storage/index/kinds.hpp"'
planted 123 src/transfer/pieces/a.cpp '"transfer/call/phases.hpp"'
planted 0 src/storage/index/a.cpp '"storage/index/btree2/node.hpp"'
planted 0 src/storage/index/btree1/a.cpp '"storage/index/btree1/node.hpp"'
planted 0 src/transfer/call/a.cpp '"storage/commit/commit.hpp"'
planted 123 src/plan/a.cpp '<fstream>'
planted 123 src/props/a.cpp '"hdf5.h"'
planted 123 src/object/a.cpp '<H5public.h>'
planted 123 src/object/a.cpp '"../base/status.hpp"'
planted 123 src/newroom/a.cpp '"base/status.hpp"'
planted 123 tools/a.cpp '"base/status.hpp"'
planted 123 examples/a.c '"object/file.hpp"'
planted 0 src/plan/a.cpp '"props/transfer.hpp"'
planted 0 src/object/a.cpp '<mpi.h>'
planted 0 src/type/a.cpp '"base/status.hpp"'
planted 0 lib/H5D.cpp '"object/dataset.hpp"'
planted 0 lib/H5D.cpp '"props/dataset_props.hpp"'
planted 123 lib/H5D.cpp '"storage/dataset/allocation.hpp"'
planted 123 lib/H5D.cpp '"transfer/call/dataset_transfer.hpp"'

# line EXPECTED FILE LINE: a line that is no include.
line() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/$(dirname "$2")"
  printf '%s\n' "$3" > "$work/tree/$2"
  "$PCIO_SRCDIR/tools/check-layers" "$work/tree" >/dev/null
  verdict $? "$1" "$3 in $2"
}
line 123 lib/H5D.cpp '  at.file->store().allocate_late(at.object);'
line 123 lib/H5D.cpp '  const DatasetState* state = nullptr;'
line 123 lib/H5D.cpp 'Status f(FileStore& s);'
line 123 lib/H5D.cpp '  return at.object->kind();'
line 123 lib/H5D.cpp '  return open.object()->address;'
line 0 lib/H5D.cpp '  return finish_fill(open.file(), open.object(), unfilled, call);'
line 0 lib/H5D.cpp '  return object->stack.entries;'
line 0 src/object/a.cpp '  at.file->store().allocate_late(at.object);'
planted 0 examples/a.c '<hdf5.h>'

"$PCIO_SRCDIR/tools/check-names" "$PCIO_SRCDIR"
verdict $? 0 "names of the tree itself"

# twice EXPECTED FIRST SECOND [FOLDER-OF-SECOND]: two files with these lines.
twice() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/src/plan" "$work/tree/${4-src/plan}"
  printf 'namespace {\n%s\n}  // namespace\n' "$2" > "$work/tree/src/plan/a.cpp"
  printf '%s\n' "$3" > "$work/tree/${4-src/plan}/b.cpp"
  "$PCIO_SRCDIR/tools/check-names" "$work/tree" >/dev/null
  verdict $? "$1" "$2 and $3"
}
twice 123 'constexpr int kMost = 1;' 'inline constexpr std::size_t kMost{2};'
twice 123 'constexpr int kMost[] = {1, 2};' 'const int kMost = 2;'
twice 123 'struct Plan {' 'enum class Plan { kOne };'
twice 123 'using Plan = int;' 'class Plan : public Base {'
twice 123 'int a = 0;' 'using namespace other;'
twice 0 'constexpr int kMost = 1;' 'constexpr int kMostBytes = 1;'
twice 0 'constexpr int kMost = 1;' 'constexpr int kMost = 2;' src/type
twice 0 'constexpr int kMost = 1;' '  constexpr int kMost = 2;'
twice 0 'class Plan;' 'class Plan {'
twice 0 'constexpr int kMost = 1;' $'namespace block {\nconstexpr int kMost = 2;\n}  // namespace block'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
