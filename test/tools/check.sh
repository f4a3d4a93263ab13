#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# pciocheck: sound files are called sound, planted damages are told (120 of them, 4000 with PCIO_LONG=1), alone and on
# several ranks; files of the corpus: no false alarm in sound ones, a verdict and no crash for hostile ones; options
# and exit statuses. Room: test/tools.
set -u
check=$PCIO_BUILDDIR/tools/pciocheck
files=$PCIO_SRCDIR/test/tools/check_files.py
[ -x "$check" ] || { echo "SKIP: built without pciocheck (CLI11 and fmt)"; exit 77; }
python=
for one in "${PYTHON-}" /usr/bin/python3 python3; do
  [ -n "$one" ] && "$one" -c 'import h5py' 2>/dev/null && { python=$one; break; }
done
[ -n "$python" ] || { echo "SKIP: no h5py"; exit 77; }
long=${PCIO_LONG-0}
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/check.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; tail -n 5 log; fi
}
# is STATUS WHAT ARGUMENTS...: how pciocheck ends
is() {
  local wanted=$1 what=$2
  shift 2
  timeout 60 "$check" "$@" >log 2>&1
  [ $? -eq "$wanted" ]; verdict $? "$what"
}

export PCIO_CHECK_TOOL=$check PCIO_RUN_QUIET=1
"$python" "$files" sound . >log 2>&1; verdict $? "sound files"
is 0 "text" latest.h5
grep -q "^latest.h5: sound" log && grep -q "nobody's" log; verdict $? "what the text says"
is 0 "two files, all listed" -v --deep latest.h5 earliest.h5
is 0 "nothing is said" -q latest.h5
[ ! -s log ]; verdict $? "really nothing"
is 1 "no HDF5 file" "$PCIO_SRCDIR/configure.ac"
is 1 "no file" nowhere.h5
is 1 "one of two is none" latest.h5 nowhere.h5
is 2 "no argument"
is 2 "an unknown option" --no-such-option latest.h5
is 0 "--help" --help
is 0 "--version" --version
head -c 40000 latest.h5 >cut.h5
is 3 "a truncated file" cut.h5
grep -q "truncated: ends at byte" log; verdict $? "in the words of pciorecover"
(cat latest.h5; head -c 100 /dev/zero) >longer.h5
is 0 "bytes behind the end" longer.h5
grep -q "100 bytes behind its end" log; verdict $? "are told"
"$python" - <<'EOF' >log 2>&1
import h5py
with h5py.File("later.h5", "w") as f:
    f.create_dataset("references", (3,), h5py.ref_dtype)
data = bytearray(open("later.h5", "rb").read())
at = data.index(bytes.fromhex("1700000008000000"))  # the type of object references, that of later formats in its place
data[at:at + 8] = bytes.fromhex("4712000008000000")
open("later.h5", "wb").write(data)
EOF
verdict $? "a file with a later format's references"
is 0 "references of a later format" later.h5
grep -q "note: /references: reference: of a format behind 1.10" log; verdict $? "are told"
"$PCIO_BUILDDIR/tools/pcioinfo" later.h5 2>&1 | grep -q "references dataset reference of a later format"; verdict $? "by pcioinfo, too"
mkfifo none.h5
is 0 "an external link to a pipe is not opened" latest.h5
rm none.h5

# pcioinfo tells who has the bytes, too.
info=$PCIO_BUILDDIR/tools/pcioinfo
"$info" -v latest.h5 >log 2>&1; verdict $? "pcioinfo -v"
for text in "nobody's" "extensible array, 1500 chunks" "fixed array, 15 chunks" "B-tree of version 2, 150 chunks" "ratio "; do
  grep -q "$text" log; verdict $? "pcioinfo -v says: $text"
done
"$info" latest.h5 >log 2>&1
grep -q "@title.*= \"a text of variable length\"" log && ! grep -q "nobody's" log; verdict $? "pcioinfo: values, and no more"
"$info" --tree latest.h5 >log 2>&1 && grep -q "^├── plain {3000} float64" log; verdict $? "pcioinfo --tree"
"$info" --json latest.h5 >log 2>&1 && "$python" - <<'EOF' >log.py 2>&1
import json
import h5py
report = json.load(open("log"))
told = {o["path"]: o for o in report["objects"]}
assert sum(report["space"].values()) == report["bytes"], report["space"]
kinds = {"/chunks/pages": "fixed array", "/chunks/grown": "extensible array", "/chunks/both": "B-tree of version 2",
         "/chunks/single": "one chunk without an index"}
assert {path: told[path]["index"] for path in kinds} == kinds
with h5py.File("latest.h5", "r") as f:
    def same(name, thing):
        one = told.get("/" + name)
        if one is None:  # by another of its names
            assert any(o["address"] == h5py.h5o.get_info(thing.id).addr for o in told.values()), name
        elif isinstance(thing, h5py.Dataset):
            assert tuple(one["shape"]) == thing.shape, name
            assert one["allocated"] == thing.id.get_storage_size(), name
            assert one.get("chunk") == (list(thing.chunks) if thing.chunks else None), name
            assert one.get("chunks", 0) == (thing.id.get_num_chunks() if thing.chunks else 0), name
            filters = thing.id.get_create_plist()
            ids = [filters.get_filter(i)[0] for i in range(filters.get_nfilters())]
            assert [f["id"] for f in one.get("filters", [])] == ids, name
            if ids and thing.dtype.kind != "O":
                assert abs(one["ratio"] * thing.id.get_storage_size() / thing.nbytes - 1) < 1e-6, name
        elif isinstance(thing, h5py.Group):
            assert sorted(l["name"] for l in one["links"]) == sorted(thing), name
        if one is not None:
            assert sorted(a["name"] for a in one.get("attributes", [])) == sorted(thing.attrs), name
    f.visititems(same)
assert len(told) > 100
EOF
verdict $? "pcioinfo --json says what h5py does"
"$info" --version >log 2>&1 && grep -q "^pcioinfo [0-9]" log; verdict $? "pcioinfo --version"

# Ranks say the same as one.
for file in latest.h5 earliest.h5 cut.h5; do
  timeout 60 "$check" --json --deep $file >one.json 2>log
  for np in 2 3; do
    "$PCIO_RUN_PAR" $np 60 "$check" --json --deep $file >many.json 2>log
    "$python" - <<'EOF' >log 2>&1
import json
one, many = json.load(open("one.json"))[0], json.load(open("many.json"))[0]
for report in (one, many):
    for kind in ("wrong", "notes"):
        report[kind].sort(key=json.dumps)
assert one == many, (one, many)
EOF
    verdict $? "$file: $np ranks say the same as one"
  done
done

cases=$([ "$long" = 1 ] && echo 4000 || echo 120)
"$python" "$files" damage . "${PCIO_SEED:-1}" "$cases" >campaign 2>&1; verdict $? "planted damages"
tail -n 20 campaign

if [ -n "${PCIO_CORPUS-}" ]; then
  alarms=0 seen=0
  while IFS=$'\t' read -r file _ _ _ _ _ class _; do
    case $class in core*) ;; *) continue ;; esac
    seen=$((seen + 1))
    [ "$long" = 1 ] || [ $((seen % 9)) -eq 0 ] || continue
    timeout 60 "$check" --deep "$PCIO_CORPUS/valid/$file" >log 2>&1 || { alarms=$((alarms + 1)); echo "$file:"; head -n 3 log; }
  done < <(tail -n +2 "$PCIO_CORPUS/valid/INDEX.tsv")
  [ $alarms -eq 0 ] && [ $seen -ge 100 ]; verdict $? "sound files of the corpus: $alarms false alarms in $seen"
  for file in "$PCIO_CORPUS"/hostile/*.h5; do
    timeout 30 "$check" --deep "$file" >log 2>&1
    case $? in 0 | 1 | 3) true ;; *) false ;; esac
    verdict $? "a verdict on ${file##*/}"
  done
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
