# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""Writes the modules of the generic names that move values: of datasets, attributes, fill values and properties, for
every type and number of dimensions. A buffer is passed as the place where it begins, so that array elements, as in
x(1, 1), do as well as arrays. One module for each type; a new type is a row of TYPES."""

# Of each type: its module, its declaration, the macro that says that the compiler has it, the type for h5dfill_f.
TYPES = [
    ("int8", "integer(c_int8_t)", None, None),
    ("int16", "integer(c_int16_t)", None, None),
    ("int32", "integer(c_int32_t)", None, "H5T_NATIVE_INTEGER_4"),
    ("int64", "integer(c_int64_t)", None, None),
    ("int128", "integer(16)", "PCIO_INTEGER_16", None),
    ("real32", "real(c_float)", None, "H5T_NATIVE_REAL_4"),
    ("real64", "real(c_double)", None, "H5T_NATIVE_REAL_8"),
    ("real80", "real(10)", "PCIO_REAL_10", "H5T_NATIVE_REAL_C_LONG_DOUBLE"),
    ("real128", "real(16)", "PCIO_REAL_16", None),
    ("complex32", "complex(c_float)", None, None),
    ("complex64", "complex(c_double)", None, None),
    ("logical8", "logical(1)", None, None),
    ("logical16", "logical(2)", None, None),
    ("logical32", "logical(4)", None, None),
    ("logical64", "logical(8)", None, None),
    ("text", "character(len=*)", None, "H5T_NATIVE_CHARACTER"),
    ("object_references", "type(hobj_ref_t_f)", None, None),
    ("region_references", "type(hdset_reg_ref_t_f)", None, None),
]

# Of each generic name: how its forms are called, SHORT_ptr being that of an address; its arguments before the buffer;
# whether the buffer is written to.
ARRAYS = [
    ("h5dwrite_f", "dwrite", "dset_id, mem_type_id", "in"),
    ("h5dread_f", "dread", "dset_id, mem_type_id", "inout"),
    ("h5awrite_f", "awrite", "attr_id, memtype_id", "in"),
    ("h5aread_f", "aread", "attr_id, memtype_id", "inout"),
]
FILLS = [
    ("h5pset_fill_value_f", "set_fill", "in"),
    ("h5pget_fill_value_f", "get_fill", "inout"),
]
PROPERTIES = [
    ("h5pset_f", "set_property", "prp_id, name", "in"),
    ("h5pget_f", "get_property", "prp_id, name", "inout"),
    ("h5pregister_f", "register_property", "class, name, size", "in"),
    ("h5pinsert_f", "insert_property", "plist, name, size", "in"),
]
NAMES = [row[0] for row in ARRAYS + FILLS + PROPERTIES] + ["h5dfill_f"]
CALLED = [row[1] + "_ptr" for row in ARRAYS + FILLS + PROPERTIES]
CALLED = ["&\n      " + name for name in CALLED + ["dfill_ptr", "property_size", "letters_for", "take_letters"]]
# What every compiler has; more of them, of datasets and attributes, where the macro says so.
MOST_DIMENSIONS = 7
MORE_DIMENSIONS, HAS_MORE = range(8, 16), "PCIO_RANK_15"

HEAD = """! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
! Made by fortran/generate.py.
"""
# What is not looked at is named, so that compilers don't call it unused.
NAMED = "    associate (ignored => dims(1))\n    end associate\n"


def shape(rank):
    return "(" + "1, " * (rank - 1) + "*)" if rank else ""


def address(buffer, rank, is_text):
    element = buffer + ("(" + ", ".join(["1"] * rank) + ")" if rank else "")
    return "c_loc(%s%s)" % (element, "(1:1)" if is_text else "")


def arrays(file, declaration, is_text, ranks):
    """Datasets and attributes: `dims` is what older codes pass; the spaces say what is transferred."""
    for name, short, ids, intent in ARRAYS:
        dataset = name.startswith("h5d")
        lists = ", &\n      mem_space_id, file_space_id, xfer_prp" if dataset else ""
        given = ", &\n        mem_space_id, file_space_id, xfer_prp" if dataset else ""
        for rank in ranks if dataset else [rank for rank in ranks if "_ref_t_f" not in declaration]:
            if rank == MORE_DIMENSIONS[0]:
                file.write("#ifdef %s\n" % HAS_MORE)
            file.write("  subroutine %s_%d(%s, buf, dims, hdferr%s)\n" % (short, rank, ids, lists))
            file.write("    integer(HID_T), intent(in) :: %s\n" % ids)
            file.write("    %s, intent(%s), target :: buf%s\n" % (declaration, intent, shape(rank)))
            file.write("    integer(HSIZE_T), intent(in) :: dims(*)\n    integer, intent(out) :: hdferr\n")
            if dataset:
                file.write("    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp\n")
            file.write(NAMED)
            file.write("    call %s_ptr(%s, %s, hdferr%s)\n" % (short, ids, address("buf", rank, is_text), given))
            file.write("  end subroutine %s_%d\n\n" % (short, rank))
            if rank == MORE_DIMENSIONS[-1]:
                file.write("#endif\n")


def fills(file, declaration, is_text):
    for _name, short, intent in FILLS:
        file.write("  subroutine %s(prp_id, type_id, fillvalue, hdferr)\n" % short)
        file.write("    integer(HID_T), intent(in) :: prp_id, type_id\n")
        file.write("    %s, intent(%s), target :: fillvalue\n    integer, intent(out) :: hdferr\n" % (declaration, intent))
        file.write("    call %s_ptr(prp_id, type_id, %s, hdferr)\n" % (short, address("fillvalue", 0, is_text)))
        file.write("  end subroutine %s\n\n" % short)


def properties(file, declaration, is_text):
    """Values that are smaller than their property are refused, as C would go beyond them; text is filled with blanks."""
    for name, short, ids, intent in PROPERTIES:
        holder = ids.split(",")[0]
        sized = "size" in ids
        file.write("  subroutine %s(%s, value, hdferr)\n" % (short, ids))
        file.write("    integer(HID_T), intent(in) :: %s\n    character(len=*), intent(in) :: name\n" % holder)
        if sized:
            file.write("    integer(SIZE_T), intent(in) :: size\n")
        file.write("    %s, intent(%s), target :: value\n    integer, intent(out) :: hdferr\n" % (declaration, intent))
        if not sized:
            file.write("    integer(SIZE_T) :: size\n")
        if is_text:
            file.write("    character(kind=c_char, len=1), allocatable, target :: letters(:)\n")
        if not sized:
            file.write("    call property_size(%s, name, size, hdferr)\n    if (hdferr < 0) return\n" % holder)
        if is_text:
            file.write("    call letters_for(value, size, letters)\n")
            file.write("    call %s_ptr(%s, c_loc(letters), hdferr)\n" % (short, ids))
            if intent == "inout":
                file.write("    if (hdferr >= 0) call take_letters(letters, value)\n")
        else:
            file.write("    if (storage_size(value) / 8 < size) then\n")
            file.write("      hdferr = refused('%s', 'value: smaller than the property')\n      return\n    end if\n" % name)
            file.write("    call %s_ptr(%s, c_loc(value), hdferr)\n" % (short, ids))
        file.write("  end subroutine %s\n\n" % short)


def dfill(file, declaration, memory_type, is_text):
    # libhdf5's keyword is another one for this type.
    fill = "fill_valuer" if "c_float" in declaration else "fill_value"
    one = "character(len=1)" if is_text else declaration
    file.write("  subroutine dfill(%s, space_id, buf, hdferr)\n" % fill)
    file.write("    %s, intent(in), target :: %s\n" % (one, fill))
    file.write("    integer(HID_T), intent(in) :: space_id\n    %s, intent(in), target :: buf(*)\n" % one)
    file.write("    integer, intent(out) :: hdferr\n")
    file.write("    call dfill_ptr(c_loc(%s), %s, c_loc(buf(1)), space_id, hdferr)\n" % (fill, memory_type))
    file.write("  end subroutine dfill\n\n")


def interfaces(file, ranks, scalars, memory_type, is_reference):
    for name, short, *_rest in ARRAYS:
        if is_reference and name.startswith("h5a"):
            continue
        file.write("  interface %s\n" % name)
        procedures = "    module procedure %s\n"
        file.write(procedures % ", ".join("%s_%d" % (short, rank) for rank in ranks if rank <= MOST_DIMENSIONS))
        if not is_reference:
            more = procedures % ", ".join("%s_%d" % (short, rank) for rank in MORE_DIMENSIONS)
            file.write("#ifdef %s\n%s#endif\n" % (HAS_MORE, more))
        file.write("  end interface %s\n\n" % name)
    for name, short, *_rest in (FILLS + PROPERTIES) if scalars else []:
        file.write("  interface %s\n    module procedure %s\n  end interface %s\n\n" % (name, short, name))
    if memory_type:
        file.write("  interface h5dfill_f\n    module procedure dfill\n  end interface h5dfill_f\n\n")


def write_type(file, module, declaration, macro, memory_type):
    is_text, is_reference = module == "text", "reference" in module
    ranks = [1] if is_reference else range(MORE_DIMENSIONS[-1] + 1)
    if macro:
        file.write("#ifdef %s\n" % macro)
    file.write("module h5_values_%s\n  use, intrinsic :: iso_c_binding\n  use h5global\n" % module)
    file.write("  use h5_support, only: refused\n  use h5_values_pointers, only: %s\n" % ", ".join(CALLED))
    file.write("  implicit none\n  private\n")
    names = [row[0] for row in ARRAYS if not is_reference or row[0].startswith("h5d")]
    names += [] if is_reference else [row[0] for row in FILLS + PROPERTIES]
    names += ["h5dfill_f"] if memory_type else []
    file.write("".join("  public :: %s\n" % name for name in names) + "\n")
    interfaces(file, ranks, not is_reference, memory_type, is_reference)
    file.write("contains\n\n")
    arrays(file, declaration, is_text, ranks)
    if not is_reference:
        fills(file, declaration, is_text)
        properties(file, declaration, is_text)
    if memory_type:
        dfill(file, declaration, memory_type, is_text)
    file.write("end module h5_values_%s\n" % module)
    if macro:
        file.write("#endif\n")
    file.write("\n")


def sequences(file):
    """Of module h5d: sequences of any length of these types, as columns of an array."""
    file.write("! Made by fortran/generate.py.\n")
    for name, declaration in (("integer", "integer"), ("real", "real")):
        for verb, intents in (("write", ("in", "in")), ("read", ("inout", "inout"))):
            arguments = "dset_id, mem_type_id, %s, dims, len, hdferr, &\n        mem_space_id, file_space_id, xfer_prp"
            file.write("  subroutine %s_vl_%s(%s)\n" % (verb, name, arguments % "buf"))
            file.write("    integer(HID_T), intent(in) :: dset_id, mem_type_id\n    integer(HSIZE_T), intent(in) :: dims(2)\n")
            file.write("    %s, intent(%s), target :: buf(dims(1), dims(2))\n" % (declaration, intents[0]))
            file.write("    integer(SIZE_T), intent(%s) :: len(*)\n    integer, intent(out) :: hdferr\n" % intents[1])
            file.write("    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp\n")
            file.write("    call %s_sequences(%s)\n" % (verb, arguments % "c_loc(buf), storage_size(buf) / 8"))
            file.write("  end subroutine %s_vl_%s\n\n" % (verb, name))


def write_to(file):
    file.write(HEAD)
    for row in TYPES:
        write_type(file, *row)
    file.write("! All of them under their names, and buffers of any type by their address.\nmodule h5_values\n")
    pointed = ["&\n      " + name for name in NAMES if name != "h5dfill_f"]
    file.write("  use h5_values_pointers, only: %s\n" % ", ".join(pointed))
    for module, _declaration, macro, _type in TYPES:
        use = "  use h5_values_%s\n" % module
        file.write("#ifdef %s\n%s#endif\n" % (macro, use) if macro else use)
    file.write("  implicit none\n  private\n" + "".join("  public :: %s\n" % name for name in NAMES))
    file.write("end module h5_values\n")
