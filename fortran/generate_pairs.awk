# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# awk -v module=NAME -f generate_pairs.awk property_pairs.table: the subroutines of that module that only
# set or get properties, for its `include`. The form of the table is said there.
#
# A subroutine converts what it is given, makes one call of C, and converts what it was given back, which is
# 0 or false where the call failed.

BEGIN {
  blanks = "        "
  # Of each kind: the program's type, C's type and what to import for it; and where they differ what makes
  # one of the other.
  kind("id", "integer(HID_T)", "integer(HID_T)", "HID_T", "")
  kind("hsize", "integer(HSIZE_T)", "integer(HSIZE_T)", "HSIZE_T", "")
  kind("size", "integer(SIZE_T)", "integer(c_size_t)", "c_size_t", "")
  kind("int", "integer", "integer(c_int)", "c_int", "int")
  kind("logical", "logical", "logical(c_bool)", "c_bool", "logical")
  kind("real", "real", "real(c_double)", "c_double", "real")
  zero["logical"] = ".false._c_bool"
}

function kind(name, outer, inner, import, convert) {
  outer_type[name] = outer
  inner_type[name] = inner
  imported[name] = import
  converted_by[name] = convert
  zero[name] = "0"
}

function fail(why) {
  printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0 > "/dev/stderr"
  failed = 1
  exit 1
}

# A line of Fortran; long ones are broken at a blank.
function line(indent, text,    at) {
  while (length(text) + indent > 98) {
    for (at = 96 - indent; at > 4 && substr(text, at, 1) != " "; --at);
    if (at == 4) fail("a line that can't be broken")
    print substr(blanks, 1, indent) substr(text, 1, at - 1) " &"
    text = "    " substr(text, at + 1)
  }
  print substr(blanks, 1, indent) text
}

function joined(items, n,    i, text) {
  for (i = 1; i <= n; ++i) text = text (i > 1 ? ", " : "") items[i]
  return text
}

function interface_of(c_name,    i, seen, imports) {
  line(4, "interface")
  line(6, "function c_call(" joined(name, n) ") bind(C, name='" c_name "') result(status)")
  seen["c_int"] = 1
  imports = "c_int"
  for (i = 1; i <= n; ++i)
    if (!(imported[type[i]] in seen)) {
      seen[imported[type[i]]] = 1
      imports = imports ", " imported[type[i]]
    }
  line(8, "import :: " imports)
  for (i = 1; i <= n; ++i)
    line(8, inner_type[type[i]] (out[i] ? ", intent(out)" : ", value") " :: " name[i])
  line(8, "integer(c_int) :: status")
  line(6, "end function c_call")
  line(4, "end interface")
}

function subroutine(routine, c_name, text,    i, passed) {
  print "  !> " text
  line(2, "subroutine " routine "(" joined(name, n) ", hdferr)")
  for (i = 1; i <= n; ++i)
    line(4, outer_type[type[i]] ", intent(" (out[i] ? "out" : "in") ") :: " name[i])
  line(4, "integer, intent(out) :: hdferr")
  interface_of(c_name)
  for (i = 1; i <= n; ++i) {
    passed[i] = name[i]
    if (converted_by[type[i]] == "") continue
    passed[i] = out[i] ? "c_" name[i] : converted_by[type[i]] "(" name[i] ", " imported[type[i]] ")"
    if (out[i]) line(4, inner_type[type[i]] " :: c_" name[i])
  }
  for (i = 1; i <= n; ++i)
    if (out[i]) line(4, passed[i] " = " zero[type[i]])
  line(4, "hdferr = error_of(c_call(" joined(passed, n) "))")
  for (i = 1; i <= n; ++i)
    if (out[i] && converted_by[type[i]] != "")
      line(4, name[i] " = " converted_by[type[i]] "(c_" name[i] ")")
  line(2, "end subroutine " routine)
  print ""
}

/^#/ || NF == 0 { next }
$1 == "module" { here = $2 == module; found = found || here; next }
!here { next }
{
  at = index($0, "|")
  if (at == 0) fail("no description")
  text = substr($0, at + 1)
  sub(/^ */, "", text)
  c_name = "H5P" substr($1, 4, length($1) - 5)
  n = 0
  for (i = 2; $i != "|"; ++i) {
    if ($i ~ /^C=/) { c_name = substr($i, 3); continue }
    if (split($i, parts, ":") != 2 || !(parts[2] in outer_type)) fail("no argument: " $i)
    out[++n] = parts[1] ~ /^>/
    name[n] = parts[1]
    sub(/^>/, "", name[n])
    type[n] = parts[2]
  }
  subroutine($1, c_name, text)
}
END {
  if (!failed && !found) { print "generate_pairs: no module " module > "/dev/stderr"; exit 1 }
  exit failed
}
