#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""Writes the regular part of the Fortran modules.

  generate.py interface.table FOLDER

For each module of the table FOLDER/MODULE_names.inc, the names that it keeps to itself, and FOLDER/MODULE_calls.inc, its subroutines; of those that
have constants or types FOLDER/MODULE_declared.inc;
FOLDER/ids.inc, ids_count.inc, ids_set.inc and ids_c.inc, the ids that h5open_f finds out; and FOLDER/values.F90, FOLDER/h5d_sequences.inc and
FOLDER/h5_high_values.F90, the modules of the generic names that move values of every type. The form of the table is said there.
"""

import re
import sys

import high_values
import values

WIDTH = 98

# Of each kind: the program's type, C's type, what to import for it, what makes the one of the other and back.
KINDS = {
    "id": ("integer(HID_T)", "integer(HID_T)", "HID_T", "", ""),
    "list": ("integer(HID_T)", "integer(HID_T)", "HID_T", "given(%s)", ""),
    "hsize": ("integer(HSIZE_T)", "integer(HSIZE_T)", "HSIZE_T", "", ""),
    "hssize": ("integer(HSSIZE_T)", "integer(HSSIZE_T)", "HSSIZE_T", "", ""),
    "haddr": ("integer(HADDR_T)", "integer(HADDR_T)", "HADDR_T", "", ""),
    "size": ("integer(SIZE_T)", "integer(c_size_t)", "c_size_t", "", ""),
    "bytes": ("integer(SIZE_T)", "integer(c_size_t)", "c_size_t", "", ""),
    "int": ("integer", "integer(c_int)", "c_int", "int(%s, c_int)", "int(%s)"),
    "length": ("integer", "integer(c_int)", "c_int", "", ""),
    "int64": ("integer(HSIZE_T)", "integer(c_int64_t)", "c_int64_t", "", ""),
    "size_as_int": ("integer", "integer(c_size_t)", "c_size_t", "int(%s, c_size_t)", "int(%s)"),
    "size_as_hsize": ("integer(HSIZE_T)", "integer(c_size_t)", "c_size_t", "int(%s, c_size_t)", "int(%s, HSIZE_T)"),
    "order": ("integer", "integer(c_int64_t)", "c_int64_t", "int(%s, c_int64_t)", "int(%s)"),
    "links": ("integer", "integer(HSIZE_T)", "HSIZE_T", "int(%s, HSIZE_T)", "int(%s)"),
    "logical": ("logical", "logical(c_bool)", "c_bool", "logical(%s, c_bool)", "logical(%s)"),
    "flag": ("logical", "integer(c_int)", "c_int", "merge(1_c_int, 0_c_int, %s)", "%s /= 0"),
    "real": ("real", "real(c_double)", "c_double", "real(%s, c_double)", "real(%s)"),
    "ptr": ("type(c_ptr)", "type(c_ptr)", "c_ptr", "", ""),
    "function": ("type(c_funptr)", "type(c_funptr)", "c_funptr", "", ""),
    "text": ("character(len=*)", "character(kind=c_char)", "c_char", "", ""),
    "ref": ("integer", "integer(c_int)", "c_int", "", ""),
    "int_as_id": ("integer", "integer(HID_T)", "HID_T", "int(%s, HID_T)", ""),
    "int_as_size": ("integer(SIZE_T)", "integer(c_int)", "c_int", "", "int(%s, SIZE_T)"),
    "object_info": ("type(h5o_info_t)", "type(c_h5o_info_t)", "c_h5o_info_t", "", "converted(%s)"),
    "object_ref": ("type(hobj_ref_t_f)", "type(hobj_ref_t_f)", "hobj_ref_t_f", "", ""),
    "region_ref": ("type(hdset_reg_ref_t_f)", "type(hdset_reg_ref_t_f)", "hdset_reg_ref_t_f", "", ""),
    "string": ("character(len=*)", "type(c_ptr)", "c_ptr", "", ""),
    "constant": ("character(len=*)", "type(c_ptr)", "c_ptr", "", ""),
    "ptrs": ("type(c_ptr)", "type(c_ptr)", "c_ptr", "", ""),
    "ints": ("integer", "integer(c_int)", "c_int", "", ""),
    "ids": ("integer(HID_T)", "integer(HID_T)", "HID_T", "", ""),
    "sizes": ("integer(HSIZE_T)", "integer(HSIZE_T)", "HSIZE_T", "", ""),
    "bytes_of": ("integer(SIZE_T)", "integer(c_size_t)", "c_size_t", "", ""),
    "reals": ("real(c_float)", "real(c_float)", "c_float", "", ""),
    "doubles": ("real(c_double)", "real(c_double)", "c_double", "", ""),
    "octets": ("integer", "character(kind=c_char)", "c_char", "octets_of(%s, %s)", ""),
    "raw": ("character(len=*)", "character(kind=c_char)", "c_char", "%s", ""),
    "texts": ("character(len=*)", "character(kind=c_char)", "c_char", "c_text(%s(1))", ""),
    "comm_f08": ("type(MPI_Comm)", "integer(c_int)", "c_int", "int(%s%%mpi_val, c_int)", "MPI_Comm(%s)"),
    "info_f08": ("type(MPI_Info)", "integer(c_int)", "c_int", "int(%s%%mpi_val, c_int)", "MPI_Info(%s)"),
    "transfer_report": ("type(pcio_transfer_report_t)", "type(pcio_transfer_report_t)", "pcio_transfer_report_t", "", ""),
    "commit_info": ("type(pcio_commit_info_t)", "type(pcio_commit_info_t)", "pcio_commit_info_t", "", ""),
    "failed": ("integer", "integer(c_size_t)", "c_size_t", "", ""),
    "dimension": ("integer", "integer(c_int)", "c_int", "int(%s - 1, c_int)", ""),
}
ARRAYS = ("ints", "ids", "sizes", "ptrs", "bytes_of", "reals", "doubles", "octets", "texts")
# These go to C by their address.
BY_ADDRESS = ("ref", "object_ref", "region_ref")
# These begin with zeros by themselves, or are an address and what is behind it.
NOT_ZEROED = ("object_info", "object_ref", "region_ref", "transfer_report", "commit_info")
# What C writes without being told the room is no longer than this; the texts of images are.
SHORT_TEXT = 64
# What a C function gives back, by the kind of the argument that becomes it, and when that is a failure.
ANSWERS = {
    "id": "answer < 0",
    "hsize": "",
    "hssize": "answer < 0",
    "haddr": "answer == -1",
    "size": "answer < 0",
    "bytes": "answer == 0",
    "size_as_int": "answer < 0",
    "size_as_hsize": "answer == 0",
    "int": "answer < 0",
    "int_as_size": "answer < 0",
    "logical": "answer < 0",
}


class TableError(Exception):
    pass


class Argument:
    """name:kind, with > in front where it is given back, = where it is what C's function gives back, @component
    where it is part of a structure that is, ~ where C reads it before and its function returns it; ? behind makes it
    optional, =value too."""

    def __init__(self, text):
        found = re.fullmatch(r"([>=<~]?)(\w+):(\w+)(?:\(([^@=?]+)\))?(?:@(\w+(?:%\w+)*))?(?:=(-?\w+))?(\?)?", text)
        if not found or found[3] not in KINDS:
            raise TableError("no argument: " + text)
        mark, self.name, self.kind, self.reversed, self.component, self.default, optional = found.groups()
        self.length_of = self.kind == "length"
        self.out = mark in (">", "=")
        self.inout = mark == "<"
        self.answer = mark in ("=", "~")
        self.kept = mark in ("<", "~")
        self.optional = bool(optional) or self.default is not None or self.kind == "list"
        self.type, self.c_type, self.imported, self.to_c, self.from_c = KINDS[self.kind]

    def declaration(self):
        intent = "out" if self.out else "inout" if self.kept else "in"
        shape = "(*)" if self.kind in ARRAYS else ""
        optional = ", optional" if self.optional else ""
        target = ", target" if self.kind in BY_ADDRESS and self.kind != "ref" else ""
        return "%s, intent(%s)%s%s :: %s%s" % (self.type, intent, optional, target, self.name, shape)

    def local(self):
        """The name of the variable that C writes to, where the program's own won't do."""
        if self.kind == "text" and self.out or self.kind == "ref":
            return "c_" + self.name
        if self.kind in ARRAYS or self.inout or self.component or self.answer or self.length_of:
            return None
        return "c_" + self.name if self.out and (self.from_c or self.optional) else None


class Passed:
    """One argument of the C function: its name and declaration there, and what is passed."""

    def __init__(self, name, declaration, imported, expression, shape=""):
        self.name, self.declaration, self.imported, self.expression = name, declaration, imported, expression
        self.shape = shape


class Subroutine:
    def __init__(self, line):
        row, bar, self.text = line.partition(" | ")
        if not bar:
            raise TableError("no description: " + line)
        words = row.split()
        self.public = not words[0].startswith("-")
        self.name = words[0].lstrip("-")
        is_ours = self.name.startswith("pcio_")
        self.c_name = self.name[:-2] if is_ours else "H5" + self.name[2].upper() + self.name[3:-2]
        self.arguments, self.error, c_list = [], None, None
        self.is_function = False
        self.order = []
        for word in words[1:]:
            if word.startswith("C="):
                found = re.fullmatch(r"C=(\w+)(?:\((.*)\))?", word)
                if not found:
                    raise TableError("no function of C: " + word)
                self.c_name, c_list = found.groups()
            elif word == "=found:int":
                self.error, self.is_function = "found", True
                self.arguments.append(Argument(word))
            elif word in ("hdferr", "error", "errcode"):
                self.error = word
                self.order.append(word)
            elif re.fullmatch(r"=hdferr:\w+", word):
                self.error = "hdferr"
                self.order.append("hdferr")
                self.arguments.append(Argument(word))
            else:
                self.arguments.append(Argument(word))
                self.order.append(self.arguments[-1].name)
        if self.error is None:
            self.error = "hdferr"
            self.order.append("hdferr")
        self.by_name = {argument.name: argument for argument in self.arguments}
        self.structure = None
        self.passed = [self.pass_token(token) for token in self.tokens(c_list)]
        for number, passed in enumerate(self.passed):
            if passed.name in [before.name for before in self.passed[:number]]:
                passed.name += "_%d" % number

    def answer(self):
        return next((argument for argument in self.arguments if argument.answer), None)

    def tokens(self, c_list):
        if c_list is not None:
            return re.findall(r"[^,(]+(?:\([^)]*\))?", c_list)
        found = []
        for argument in self.arguments:
            if argument.answer or argument.component or argument.length_of:
                continue
            found.append(argument.name)
            if argument.kind == "text" and argument.out:
                found.append("room(%s)" % argument.name)
        return found

    def pass_token(self, token):
        """An argument's name; room(TEXT), the bytes there are for it; sizeof(STRUCTURE), its bytes; most(SIZE,TEXT), where the program says how many;
        @TYPE, a structure to be filled; null; VALUE:KIND, and &VALUE:KIND, an array of one."""
        if token == "null":
            return Passed("nothing", "type(c_ptr), value", "c_ptr", "c_null_ptr")
        if token.startswith("@"):
            self.structure = token[1:]
            return Passed("info", "type(%s), intent(out)" % self.structure, self.structure, "info")
        found = re.fullmatch(r"room\((\w+)\)", token)
        if found:
            room = "len(%s, c_size_t) + 1" % found[1]
            return Passed(found[1] + "_room", "integer(c_size_t), value", "c_size_t", room)
        found = re.fullmatch(r"sizeof\((\w+)\)", token)
        if found:
            return Passed(found[1] + "_size", "integer(c_size_t), value", "c_size_t", "c_sizeof(%s)" % found[1])
        found = re.fullmatch(r"most\((\w+),(\w+)\)", token)
        if found:
            room = "room_of(%s, int(%s, c_size_t))" % (found[2], found[1])
            return Passed(found[2] + "_room", "integer(c_size_t), value", "c_size_t", room)
        found = re.fullmatch(r"&([^:]+):(\w+)", token)
        if found:
            _type, c_type, imported, _to, _from = KINDS[found[2]]
            return Passed("one", c_type + ", intent(in)", imported, "[int(%s, %s)]" % (found[1], imported), "(*)")
        found = re.fullmatch(r"(-?\w+):(\w+)", token)
        if found:
            _type, c_type, imported, _to, _from = KINDS[found[2]]
            suffix = "" if found[1].startswith("H5") else "_" + imported
            return Passed("fixed", c_type + ", value", imported, found[1] + suffix)
        if token not in self.by_name:
            raise TableError("%s: no argument %s" % (self.name, token))
        return self.pass_argument(self.by_name[token])

    def pass_argument(self, argument):
        name = argument.name
        if argument.kind == "text":
            direction = "intent(out)" if argument.out else "intent(in)"
            text = "c_" + name if argument.out else "c_text(%s)" % name
            return Passed(name, "character(kind=c_char), %s" % direction, "c_char", text, "(*)")
        if argument.kind in BY_ADDRESS:
            # Some compilers want a function of C to have the same arguments everywhere in a module (flang 16).
            return Passed(name, "type(c_ptr), value", "c_ptr", "c_loc(%s)" % (argument.local() or name))
        if argument.kind == "raw":
            direction = "intent(out)" if argument.out else "intent(in)"
            return Passed(name, "%s, %s" % (argument.c_type, direction), argument.imported, name, "(*)")
        if argument.kind in ("octets", "texts"):
            given = argument.to_c % ((name, argument.reversed) if argument.reversed else name)
            return Passed(name, argument.c_type + ", intent(in)", argument.imported, given, "(*)")
        if argument.kind in ARRAYS:
            direction = "intent(out)" if argument.out else "intent(in)"
            whole = "%s(%s:1:-1)" % (name, argument.reversed) if argument.reversed else name
            return Passed(name, "%s, %s" % (argument.c_type, direction), argument.imported, whole, "(*)")
        if argument.inout:
            return Passed(name, argument.c_type + ", intent(inout)", argument.imported, name)
        if argument.out:
            return Passed(name, argument.c_type + ", intent(out)", argument.imported, argument.local() or name)
        if argument.default is not None:
            value = "given_%s(%s, %s)" % (argument.kind, argument.default, name)
        elif argument.optional and argument.kind != "list":
            value = "given_%s(%s)" % (argument.kind, name)
        else:
            value = name
        converted = argument.to_c % value if argument.to_c else value
        return Passed(name, argument.c_type + ", value", argument.imported, converted)

    # ---- the text -----------------------------------------------------------------------------

    def answer_type(self):
        argument = self.answer()
        if argument is None or argument.kind == "logical":
            return "integer(c_int)", "c_int"
        return argument.c_type, argument.imported

    def interface(self, write):
        c_type, imported = self.answer_type()
        write(4, "interface")
        names = ", ".join(passed.name for passed in self.passed)
        write(6, "function c_call(%s) bind(C, name='%s') result(answer)" % (names, self.c_name))
        imports = []
        for name in [imported] + [passed.imported for passed in self.passed]:
            if name not in imports:
                imports.append(name)
        write(8, "import :: " + ", ".join(imports))
        for passed in self.passed:
            write(8, "%s :: %s%s" % (passed.declaration, passed.name, passed.shape))
        write(8, c_type + " :: answer")
        write(6, "end function c_call")
        write(4, "end interface")

    def locals(self, write):
        write(4, self.answer_type()[0] + " :: answer")
        if self.answer() and self.answer().kind == "string":
            write(4, "integer :: length")
        if self.structure:
            write(4, "type(%s) :: info" % self.structure)
        for argument in self.arguments:
            local = argument.local()
            if local is None:
                continue
            if argument.kind == "text":
                has_room = argument.name + "_room" in [passed.name for passed in self.passed]
                room = "len(%s) + 1" % argument.name
                write(4, "character(kind=c_char) :: %s(%s)" % (local, room if has_room else "max(%s, %d)" % (room, SHORT_TEXT)))
            else:
                target = ", target" if argument.kind == "ref" else ""
                write(4, "%s%s :: %s" % (argument.c_type, target, local))

    def name_ignored(self, write):
        """What C does not get is named, so that compilers don't call it unused."""
        words = re.findall(r"\w+", " ".join(passed.expression for passed in self.passed))
        for argument in self.arguments:
            if argument.out or argument.answer or argument.component or argument.length_of or argument.name == self.error:
                continue
            if argument.name in words or (argument.local() or "") in words:
                continue
            if argument.optional:
                write(4, "if (present(%s)) continue" % argument.name)
            else:
                write(4, "associate (ignored => %s)" % argument.name)
                write(4, "end associate")

    def begin(self, write):
        """What is given back by a call that fails: zero, false or blanks."""
        for argument in self.arguments:
            if argument.kind == "ref":
                write(4, "%s = int(%s, c_int)" % (argument.local(), argument.name))
            if argument.inout and argument.reversed:
                write(4, "%s = max(0_%s, min(%s, len(%s, %s)))" % (
                    argument.name, argument.imported, argument.name, argument.reversed, argument.imported))
            elif argument.kind == "raw" and argument.out:
                write(4, "%s = ''" % argument.name)
                continue
            if argument.kind in ARRAYS + NOT_ZEROED or argument.inout or argument.answer or argument.component:
                continue
            if argument.length_of:
                continue
            if argument.kind == "text" and argument.out:
                write(4, "%s = c_null_char" % argument.local())
            elif argument.out and argument.kind in ("ptr", "function"):
                null = "c_null_ptr" if argument.kind == "ptr" else "c_null_funptr"
                write(4, "%s = %s" % (argument.local() or argument.name, null))
            elif argument.out:
                zero = ".false._c_bool" if argument.kind == "logical" else "0"
                write(4, "%s = %s" % (argument.local() or argument.name, zero))

    def give_back(self, argument, value, write):
        if argument.from_c:
            value = argument.from_c % value
        condition = "if (present(%s)) " % argument.name if argument.optional else ""
        write(4, "%s%s = %s" % (condition, argument.name, value))

    def end(self, write):
        argument = self.answer()
        if argument is None:
            write(4, "%s = error_of(answer)" % self.error)
        elif argument.kind == "string":
            write(4, "call take_c_string(answer, %s, length)" % argument.name)
            write(4, "%s = min(0, length)" % self.error)
        elif argument.kind == "constant":
            write(4, "call take_constant(answer, %s)" % argument.name)
            write(4, "%s = merge(0, -1, c_associated(answer))" % self.error)
        elif argument.kind == "failed":
            write(4, "%s = merge(-1, 0, answer < 0)" % self.error)
        elif argument.name == self.error:
            write(4, "%s = int(answer)" % self.error)
        else:
            failed = ANSWERS[argument.kind]
            write(4, "%s = %s" % (self.error, "merge(-1, 0, %s)" % failed if failed else "0"))
            if argument.kind == "logical":
                condition = "if (present(%s)) " % argument.name if argument.optional else ""
                write(4, "%s%s = answer > 0" % (condition, argument.name))
            else:
                self.give_back(argument, "answer", write)
        for argument in self.arguments:
            if argument.length_of:
                write(4, "%s = length" % argument.name)
            elif argument.component:
                self.give_back(argument, "info%" + argument.component, write)
            elif argument.kind == "text" and argument.out:
                write(4, "call take_text(%s, %s)" % (argument.local(), argument.name))
            elif argument.local() and argument.out:
                self.give_back(argument, argument.local(), write)

    def write_to(self, file):
        def write(indent, text):
            file.write(broken(indent, text))

        file.write("  !> %s\n" % self.text)
        kind, result = ("function", " result(found)") if self.is_function else ("subroutine", "")
        order = [name for name in self.order if name != "found"]
        write(2, "%s %s(%s)%s" % (kind, self.name, ", ".join(order), result))
        for argument in self.arguments:
            if argument.name != self.error:
                write(4, argument.declaration())
        write(4, "integer :: found" if self.is_function else "integer, intent(out) :: " + self.error)
        self.interface(write)
        self.locals(write)
        self.name_ignored(write)
        self.begin(write)
        write(4, "answer = c_call(%s)" % ", ".join(passed.expression for passed in self.passed))
        self.end(write)
        write(2, "end %s %s" % (kind, self.name))
        file.write("\n")


# Components of types, beside the kinds of arguments.
COMPONENTS = {"int8": "integer(c_int8_t)", "int32": "integer(c_int32_t)", "letters": "character(kind=c_char)"}


def declared(line):
    """What a row of constants, or of a type, becomes: lines of Fortran."""
    row, bar, text = line.partition(" | ")
    words = row.split()
    if not bar or len(words) < 3:
        raise TableError("no description, or nothing described: " + line)
    if words[0] == "constants":
        kind = KINDS[words[1]][0]
        names = [re.sub(r"^(\w+)=(\S+)$", r"\1 = \2", word) for word in words[2:]]
        return "  !> %s\n" % text + broken(2, "%s, parameter :: %s" % (kind, ", ".join(names)))
    lines = ["  !> %s\n" % text, broken(2, "type, bind(C) :: " + words[1])]
    for word in words[2:]:
        found = re.fullmatch(r"(\w+):(\w+)(\(\w+\))?(=\S+)?", word)
        if not found:
            raise TableError("no component: " + word)
        kind = COMPONENTS[found[2]] if found[2] in COMPONENTS else KINDS[found[2]][1]
        lines.append(broken(4, "%s :: %s%s%s" % (kind, found[1], found[3] or "", (found[4] or "").replace("=", " = "))))
    return "".join(lines) + "  end type %s\n" % words[1]


def broken(indent, text):
    """A line of Fortran; a long one goes on in the next."""
    lines = []
    while indent + len(text) > WIDTH:
        at = text.rfind(" ", 4, WIDTH - indent - 2)
        if at < 0:
            raise TableError("a line that can't be broken: " + text)
        lines.append(" " * indent + text[:at] + " &\n")
        text = "    " + text[at + 1 :]
    return "".join(lines) + " " * indent + text + "\n"


def read_table(path):
    """{module: its subroutines}, {module: its constants and types} and the ids, as pairs of Fortran's and C's names."""
    modules, declarations, ids, here = {}, {}, [], None
    with open(path) as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            words = line.split()
            try:
                if words[0] == "module":
                    name, here = words[1], modules.setdefault(words[1], [])
                elif words[0] in ("constants", "type") and here is not None:
                    declarations.setdefault(name, []).append(declared(line))
                elif words[0] == "ids":
                    here = None
                elif here is None:
                    ids.append((words[0], words[1] if len(words) > 1 else words[0]))
                else:
                    here.append(Subroutine(line))
            except (TableError, KeyError) as error:
                sys.exit("%s:%d: %s" % (path, number, error))
    return modules, declarations, ids


HEADER = "! Made by fortran/generate.py of fortran/interface.table.\n"


def write_module(folder, name, subroutines):
    with open("%s/%s_names.inc" % (folder, name), "w") as file:
        file.write(HEADER)
        for subroutine in subroutines:
            if not subroutine.public:
                file.write("  private :: %s\n" % subroutine.name)
    with open("%s/%s_calls.inc" % (folder, name), "w") as file:
        file.write(HEADER)
        for subroutine in subroutines:
            subroutine.write_to(file)


def write_ids(folder, ids):
    with open(folder + "/ids.inc", "w") as file:
        file.write(HEADER)
        for name, _macro in ids:
            file.write("  integer(HID_T), save :: %s = -1\n" % name)
    with open(folder + "/ids_count.inc", "w") as file:
        file.write(HEADER)
        file.write("    integer, parameter :: kPredefinedIds = %d\n" % len(ids))
    with open(folder + "/ids_set.inc", "w") as file:
        file.write(HEADER)
        for index, (name, _macro) in enumerate(ids, 1):
            file.write("    %s = ids(%d)\n" % (name, index))
    with open(folder + "/ids_c.inc", "w") as file:
        file.write("/* Made by fortran/generate.py of fortran/interface.table. */\n")
        for index, (_name, macro) in enumerate(ids):
            file.write("  ids[%d] = %s;\n" % (index, macro))
        file.write("#define PCIO_FORTRAN_IDS %d\n" % len(ids))


def main():
    table, folder = sys.argv[1:]
    modules, declarations, ids = read_table(table)
    for name, subroutines in modules.items():
        if subroutines:
            write_module(folder, name, subroutines)
    for name, lines in declarations.items():
        with open("%s/%s_declared.inc" % (folder, name), "w") as file:
            file.write(HEADER + "\n".join(lines))
    write_ids(folder, ids)
    with open(folder + "/values.F90", "w") as file:
        values.write_to(file)
    with open(folder + "/h5d_sequences.inc", "w") as file:
        values.sequences(file)
    with open(folder + "/h5_high_values.F90", "w") as file:
        high_values.write_to(file)


if __name__ == "__main__":
    main()
