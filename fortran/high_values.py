# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""Writes the module of the High Level library's generic names that move values: datasets of every number and number of
dimensions, fields of tables. Buffers are passed as values.py does."""

from values import HEAD, MOST_DIMENSIONS, NAMED, address, shape

# Of each type: its name, declaration, whether it is a real, the macro that says that the compiler has it.
NUMBERS = [
    ("int8", "integer(c_int8_t)", False, None),
    ("int16", "integer(c_int16_t)", False, None),
    ("int32", "integer(c_int32_t)", False, None),
    ("int64", "integer(c_int64_t)", False, None),
    ("int128", "integer(16)", False, "PCIO_INTEGER_16"),
    ("real32", "real(c_float)", True, None),
    ("real64", "real(c_double)", True, None),
    ("real80", "real(10)", True, "PCIO_REAL_10"),
    ("real128", "real(16)", True, "PCIO_REAL_16"),
]
# Fields of tables: default integers, reals, texts.
FIELDS = [row for row in NUMBERS if row[2]] + [("integer", "integer", False, None), ("text", "character(len=*)", False, None)]
# Of each generic name of fields: how its forms are called, how the field is named, its arguments before the buffer.
RECORDS = "start, nrecords, type_size"
FIELD_CALLS = [
    ("h5tbwrite_field_name_f", "write_name", "field_name", RECORDS, "in"),
    ("h5tbread_field_name_f", "read_name", "field_name", RECORDS, "inout"),
    ("h5tbwrite_field_index_f", "write_index", "field_index", RECORDS, "in"),
    ("h5tbread_field_index_f", "read_index", "field_index", RECORDS, "inout"),
    ("h5tbinsert_field_f", "insert_field", "field_name", "field_type, field_index", "in"),
]
DECLARED = {
    "field_name": "character(len=*), intent(in) :: field_name",
    "field_index": "integer, intent(in) :: field_index",
    "field_type": "integer(HID_T), intent(in) :: field_type",
    "start": "integer(HSIZE_T), intent(in) :: start",
    "nrecords": "integer(HSIZE_T), intent(in) :: nrecords",
    "type_size": "integer(SIZE_T), intent(in) :: type_size",
}


def begin(file, name, arguments, buffer):
    file.write("  subroutine %s(loc_id, dset_name, %s, errcode)\n" % (name, arguments))
    file.write("    integer(HID_T), intent(in) :: loc_id\n    character(len=*), intent(in) :: dset_name\n")
    file.write("    integer, intent(out) :: errcode\n    %s\n" % buffer)


def datasets(file, name, declaration, is_real):
    """With the type that the program says, and with the buffer's own."""
    own = "h5kind_to_type(kind(buf), %s)" % ("H5_REAL_KIND" if is_real else "H5_INTEGER_KIND")
    for rank in range(MOST_DIMENSIONS + 1):
        place = address("buf", rank, False)
        for typed, given, memory in (("", "type_id, ", "type_id"), ("own_", "", own)):
            said = "    integer(HID_T), intent(in) :: type_id\n" if given else ""
            buffer = "%s, intent(%s), target :: buf%s"
            begin(file, "make_%s%s_%d" % (typed, name, rank), "rank, dims, %sbuf" % given, buffer % (declaration, "in", shape(rank)))
            file.write("    integer, intent(in) :: rank\n    integer(HSIZE_T), intent(in) :: dims(*)\n" + said)
            file.write("    call make_dataset_ptr(loc_id, dset_name, rank, dims, %s, &\n        %s, errcode)\n" % (memory, place))
            file.write("  end subroutine make_%s%s_%d\n\n" % (typed, name, rank))
            begin(file, "read_%s%s_%d" % (typed, name, rank), given + "buf, dims", buffer % (declaration, "inout", shape(rank)))
            file.write("    integer(HSIZE_T), intent(in) :: dims(*)\n" + said)
            file.write(NAMED)
            file.write("    call read_dataset_ptr(loc_id, dset_name, %s, &\n        %s, errcode)\n" % (memory, place))
            file.write("  end subroutine read_%s%s_%d\n\n" % (typed, name, rank))


def fields(file, name, declaration):
    for _generic, short, field, before, intent in FIELD_CALLS:
        arguments = "%s, %s" % (field, before)
        begin(file, "%s_%s" % (short, name), arguments + ", buf", "%s, intent(%s), target :: buf(*)" % (declaration, intent))
        for argument in arguments.split(", "):
            file.write("    %s\n" % DECLARED[argument])
        file.write("    call %s_ptr(loc_id, dset_name, %s, &\n        %s, errcode)\n" % (short, arguments, address("buf", 1, name == "text")))
        file.write("  end subroutine %s_%s\n\n" % (short, name))


def only_if(file, macro, text):
    file.write("#ifdef %s\n%s#endif\n" % (macro, text) if macro else text)


def interface(file, generic, procedures):
    """`procedures`: the macro, and the names."""
    file.write("  interface %s\n" % generic)
    for macro, names in procedures:
        only_if(file, macro, "    module procedure %s\n" % ", &\n      ".join(names))
    file.write("  end interface %s\n\n" % generic)


def interfaces(file):
    for verb in ("make", "read"):
        def forms(kind, rows):
            return [(row[3], ["%s_%s%s_%d" % (verb, kind, row[0], rank) for rank in range(MOST_DIMENSIONS + 1)]) for row in rows]

        interface(file, "h5lt%s_dataset_f" % verb, forms("", NUMBERS))
        interface(file, "h5lt%s_dataset_int_f" % verb, forms("own_", [row for row in NUMBERS if not row[2]]))
        for real in ("float", "double"):
            interface(file, "h5lt%s_dataset_%s_f" % (verb, real), forms("own_", [row for row in NUMBERS if row[2]]))
    for generic, short, *_rest in FIELD_CALLS:
        interface(file, generic, [(row[3], ["%s_%s" % (short, row[0])]) for row in FIELDS])


def write_to(file):
    file.write(HEAD)
    file.write("module h5_high_values\n  use, intrinsic :: iso_c_binding\n  use h5global\n  use h5lib, only: h5kind_to_type\n")
    file.write("  use h5_high_pointers\n  implicit none\n  private\n")
    for verb in ("make", "read"):
        file.write("".join("  public :: h5lt%s_dataset_%sf\n" % (verb, kind) for kind in ("", "int_", "float_", "double_")))
    file.write("".join("  public :: %s\n" % row[0] for row in FIELD_CALLS) + "\n")
    interfaces(file)
    file.write("contains\n\n")
    for name, declaration, is_real, macro in NUMBERS:
        file.write("#ifdef %s\n" % macro if macro else "")
        datasets(file, name, declaration, is_real)
        file.write("#endif\n" if macro else "")
    for name, declaration, _is_real, macro in FIELDS:
        file.write("#ifdef %s\n" % macro if macro else "")
        fields(file, name, declaration)
        file.write("#endif\n" if macro else "")
    file.write("end module h5_high_values\n")
