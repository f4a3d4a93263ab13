#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Everything in the public headers is described, and tools/check-docs fails on each kind of planted gap.
set -u
if ! command -v "${DOXYGEN:-doxygen}" >/dev/null 2>&1; then
  echo "SKIP: no doxygen"
  exit 77
fi
work=$(mktemp -d "$PCIO_TEST_TMP/docs.XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { "$PCIO_SRCDIR/tools/check-docs" "$PCIO_BUILDDIR/doc/Doxyfile" "$@" > "$work/out" 2>&1; }
bad() { failed=$((failed + 1)); echo "FAIL: $1"; head -n 20 "$work/out"; }

if check; then passed=$((passed + 1)); tail -n 1 "$work/out"; else bad "the headers themselves"; fi

# planted WANTED WHAT: one small header, described but for what comes on standard input.
planted() {
  rm -rf "$work/include"
  mkdir "$work/include"
  printf '/**\n * \\file\n * A header.\n */\n/** \\page collectivity Ranks */\n' > "$work/include/a.h"
  cat >> "$work/include/a.h"
  cat >> "$work/include/a.h" <<'END'
/**
 * Does something.
 *
 * \param n A number.
 * \return 0.
 * \local
 */
H5_DLL int well_described(int n);
END
  check "$work/include"
  status=$?
  if [ $status -eq "$1" ]; then passed=$((passed + 1)); else bad "$2: status $status"; fi
}
planted 0 "nothing missing" < /dev/null
planted 1 "a function without a description" <<< 'H5_DLL int planted(int n);'
planted 1 "a parameter without one" <<'END'
/** Does something. \return 0. \local */
H5_DLL int planted(int n);
END
planted 1 "a parameter that is not there" <<'END'
/** Does something. \param m A number. \return 0. \local */
H5_DLL int planted(int n);
END
planted 1 "a result without one" <<'END'
/** Does something. \param n A number. \local */
H5_DLL int planted(int n);
END
planted 1 "a function that is silent about ranks" <<'END'
/** Does something. \param n A number. \return 0. */
H5_DLL int planted(int n);
END
planted 1 "a function that doxygen does not see" <<'END'
/** \cond HIDDEN */
H5_DLL int planted(int n);
/** \endcond */
END
planted 1 "an enumerator without one" <<'END'
/** Some. */
typedef enum planted_t {
  PLANTED_A = 0, /**< One. */
  PLANTED_B = 1
} planted_t;
END
planted 1 "a member without one" <<'END'
/** Some. */
typedef struct planted_t {
  int a; /**< One. */
  int b;
} planted_t;
END
planted 1 "a structure without one" <<'END'
typedef struct planted_t {
  int a; /**< One. */
} planted_t;
END
planted 1 "a macro without one" <<< '#define PLANTED 1'
planted 1 "a callback type without one" <<< 'typedef int (*planted_t)(int n);'

# A header that doxygen passes over, as nothing says that it is one.
mkdir "$work/more"
cp "$work/include/a.h" "$work/more/a.h"
sed -i '/planted_t/d' "$work/more/a.h"
printf '#define PLANTED 1\n' > "$work/more/b.h"
check "$work/more"
status=$?
if [ $status -eq 1 ] && grep -q 'b.h: no .file' "$work/out"; then passed=$((passed + 1)); else bad "no \\file"; fi

# What the headers say about ranks is what testpar/absent/communicating.txt says: a call that takes all
# ranks waits, and one that waits is not called local. H5Freopen waits with its close only, H5Idec_ref
# with the last reference of a file.
rows=() kinds=()
while read -r row kind _; do
  case $row in '' | '#'*) continue ;; esac
  rows+=("$row") kinds+=("$kind")
done < "$PCIO_SRCDIR/testpar/absent/communicating.txt"
waits() { # NAME
  for i in "${!rows[@]}"; do
    # shellcheck disable=SC2254
    case $1 in ${rows[i]}) [ "${kinds[i]}" = waits ]; return ;; esac
  done
  return 1
}
contradictions() { # HEADER-FOLDER
  awk '/^ \* \\(local|metadata|communicates|transfer)$/ { word = substr($2, 2) }
       /^(H5_DLL|PCIO_DLL) / { open = 1 }
       open { text = text $0 }
       open && /;/ { sub(/\(.*/, "", text); n = split(text, part, /[ *]+/)
                     print part[n], word; open = 0; text = word = "" }' "$1"/*.h |
    while read -r name word; do
      case $word in
        communicates | transfer) waits "$name" || echo "$name does not wait" ;;
        local) case $name in H5Freopen | H5Idec_ref) ;; *) ! waits "$name" || echo "$name waits" ;; esac ;;
      esac
    done
}
contradictions "$PCIO_SRCDIR/include" > "$work/out"
if [ -s "$work/out" ]; then bad "ranks"; else passed=$((passed + 1)); fi
mkdir "$work/turned"
sed 's/^ \* \\communicates$/ * \\local/' "$PCIO_SRCDIR/include/H5Fpublic.h" > "$work/turned/H5Fpublic.h"
sed 's/^ \* \\local$/ * \\transfer/' "$PCIO_SRCDIR/include/H5Zpublic.h" > "$work/turned/H5Zpublic.h"
contradictions "$work/turned" > "$work/out"
if grep -qx 'H5Fflush waits' "$work/out" && grep -qx 'H5Zregister does not wait' "$work/out"; then
  passed=$((passed + 1))
else
  bad "planted words about ranks"
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
