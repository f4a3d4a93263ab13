#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""Writes the C table of all functions for bad_arguments.c: how each is called, what is a good argument of each kind.

What is good is taken from the headers: types, and what the doc comment says of an id.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../tools"))
import header_functions  # noqa: E402

# What the description of an id says that it is: the first that matches.
IDS = [
    (r"^Attribute creation", "ACPL"), (r"^Attribute access", "AAPL"), (r"^Link creation list", "LCPL"),
    (r"^Link or attribute creation", "LCPL"), (r"^Link access|link access list", "LAPL"),
    (r"^File access", "FAPL"), (r"^File creation|^Creation list of a file", "FCPL"), (r"^File mount", "FMPL"),
    (r"^Dataset creation|^Creation list", "DCPL"), (r"^Dataset access", "DAPL"), (r"^Transfer list", "DXPL"),
    (r"^Group (\(or file\) )?creation|^List for creating", "GCPL"), (r"^Group access", "GAPL"),
    (r"^Datatype creation", "TCPL"), (r"^Datatype access", "TAPL"), (r"^Object copy", "OCPYPL"),
    (r"^Object access", "DAPL"), (r"^How (each|it) ", "FAPL"), (r"^The file that is mounted", "CHILD"),
    (r"^Property list|^List|^Another of the same kind", "DCPL"), (r"[Cc]lass of error|^Error class", "ERROR_CLASS"),
    (r"^Class", "CLASS"), (r"^Error stack", "STACK"), (r"^Message|^Major", "MAJOR"), (r"^Minor", "MINOR"),
    (r"^Attribute\.", "ATTRIBUTE"), (r"^Chunked dataset|^Dataset", "DATASET"), (r"^The driver", "DRIVER"),
    (r"dataspace|^Shape|^Selection|^Third|^Source\.|^Destination", "SPACE"), (r"^Dataspace", "SPACE"),
    (r"^Compound", "COMPOUND"), (r"[Tt]ype of|^Datatype|^Integer type|^Another one", "TYPE"),
    (r"^File\b(?! or)", "FILE"), (r"^(The )?[Ff]ile|^Object|^Group", "GROUP"), (r"^Any id", "GROUP"),
]
TYPES = [
    (r"enum", "ENUM"), (r"array", "ARRAY"), (r"member|H5Tpack", "COMPOUND"), (r"cset|strpad|is_variable", "STRING"),
    (r"fields|ebias|norm|inpad", "FLOAT"), (r"tag", "OPAQUE"), (r"super", "ENUM"),
]
STRUCTURES = [
    ("H5AC_cache_config_t *", "CACHE_CONFIG"), ("H5AC_cache_image_config_t *", "VERSION_ONE"),
    ("const H5L_class_t *", "LINK_CLASS"),
]
SCALARS = r"(const )?(unsigned|int|size_t|hsize_t|hssize_t|haddr_t|off_t|uint32_t|unsigned int|unsigned long long|hbool_t)$"


def good_id(function, parameter):
    for pattern, kind in PARTICULAR_IDS:
        if re.match(pattern, function.name):
            return kind
    if function.name.startswith("H5T") and parameter.name in ("type_id", "type", "dtype_id", "attr_id"):
        for pattern, kind in TYPES:
            if re.search(pattern, function.name):
                return kind
    if function.name.startswith("H5T") and parameter.name in ("src_id", "dst_id", "base_id", "type_id", "type"):
        return "TYPE"
    if function.name.startswith("H5S") and parameter.name in ("src_id", "dst_id"):
        return "SPACE"
    if function.name.startswith("H5I"):
        return "GROUP"
    for pattern, kind in IDS:
        if re.search(pattern, parameter.doc):
            return kind
    if "type" in parameter.name:
        return "TYPE"
    if "space" in parameter.name:
        return "SPACE"
    sys.exit(f"{function.name}, {parameter.name}: which kind of id is '{parameter.doc}'?")


# Good arguments that neither type nor description tell: function and argument, both as patterns.
PARTICULAR = [
    (r"H5Fcreate$", "filename", '"new.h5"'), (r"H5FDopen$", "name", '"new.h5"'),
    (r"H5F(mount|unmount)$", "name", '"group"'), (r"H5F|pcio_(complete|get)_commit", "name|filename|path", '"disk.h5"'),
    (r"H5A(create|rename)", "(attr_|new_)name|^new_attr_name|^name$", '"new"'), (r"H5A", "attr_name|^name$|old", '"attribute"'),
    (r"H5Lcreate_hard|H5Glink", "cur_name", '"set"'), (r"H5[LG](get_val|get_linkval)$", "name", '"soft"'),
    (r"_by_idx", "group_name", '"group"'), (r"H5Lget_val_by_idx", "^n$", "1"), (r"H5Rcreate", "^name$", '"set"'),
    (r"", "obj_name", '"set"'), (r"create|commit|H5Tinsert|H5Pinsert|H5Pregister", "name", '"new"'),
    (r"", "link_name|^new|^dst|dest", '"new"'),
    (r"H5G(open|get_info|get_num|get_obj|iterate)|H5L(iter|visit)", "name", '"group"'), (r"H5Topen", "name", '"type"'),
    (r"H5Tenum_insert", "name", '"new"'), (r"H5Tenum|H5Tget_member_index", "name", '"a"'), (r"", "expression", '"x + 1"'),
    (r"H5I(clear|dec|destroy|get|inc)_?\w*type|H5Iregister$|H5Isearch|H5I\w+_verify", "^type$", "OWN_TYPE"),
    (r"H5Zunregister", "^id$", "300"), (r"H5FDopen", "maxaddr", "1 << 20"), (r"H5FD(read|write)", "^size$", "8"),
    (r"H5Dwrite_chunk", "data_size", "16"), (r"H5Pset_file_space_page_size", "fsp_size", "4096"),
    (r"H5Pset_userblock", "size", "512"), (r"H5Pset_sizes", "sizeof", "8"), (r"H5Pset_szip", "options_mask", "32"),
    (r"H5Pset_szip", "pixels", "16"), (r"H5Pset_chunk_opts", "opts", "2"), (r"shared_mesg_index", "index_num", "0"),
    (r"exchange_memory", "bytes", "1 << 24"), (r"H5Tset_fields", "spos", "63"), (r"H5Tset_fields", "epos", "52"),
    (r"H5Tset_fields", "esize", "11"), (r"H5Tset_fields", "mpos", "0"), (r"H5Tset_fields", "msize", "52"),
    (r"libver_bounds", "high", "H5F_LIBVER_LATEST"), (r"H5Scombine_select|H5Smodify_select", "op", "H5S_SELECT_OR"),
    (r"H5Pget_filter1", "filter", "0"), (r"H5Rget_region", "ref_type", "H5R_DATASET_REGION"), (r"pcio_explain", "direction", "1"),
    (r"H5Fget_file_image", "buf_len", "65536"), (r"H5Pget_shared", "index_num", "0"), (r"H5P.*member|set_filter", "flags", "1"),
]
# The same for ids.
PARTICULAR_IDS = [
    (r"H5Pget_fapl_core|H5Pget_driver_info", "MEMORY_FAPL"), (r"H5Pget_fapl_family", "FAMILY_FAPL"),
    (r"H5Pget_fapl_multi", "MULTI_FAPL"),
    (r"H5Pget_external", "EXTERNAL"), (r"H5Pget_virtual_(count|vspace|srcspace|filename|dsetname)", "VIRTUAL"),
    (r"H5Sget_select_elem", "POINTS"), (r"H5T(flush|refresh|get_create_plist)", "COMMITTED"), (r"H5Tget_member_value", "ENUM"),
    (r"H5Pget_data_transform", "TRANSFORM"),
]


def particular(function, p):
    for pattern, name, value in PARTICULAR:
        if re.match(pattern, function.name) or (pattern and re.search(pattern, function.name) and not pattern.startswith("H5")):
            if re.search(name, p.name):
                return value
    return None


def good_text(function, p):
    value = particular(function, p)
    return value if value and value.startswith('"') else '"set"'


def number(function, parameter):
    value = particular(function, parameter)
    if value and not value.startswith('"'):
        return value
    if re.search(r"size|nbytes|nalloc|len", parameter.name):
        return 64
    return 0 if re.search(r"idx|index|^n$|flags|mask|membno|addr|offset|filters|bound|pos", parameter.name) else 1


def good(function, p):
    """Kind of argument, and the C initializer of a good one."""
    if p.type == "hid_t":
        return "ID", f"{{.good_id = GOOD_{good_id(function, p)}}}"
    if p.type == "const char *":
        return "TEXT", f'{{.text = {good_text(function, p)}}}'
    if p.type in ("H5FD_t *", "const H5FD_t *"):
        return "DRIVER_FILE", "{0}"
    if p.type == "FILE *":
        return "STREAM", "{0}"
    if p.type in ("MPI_Comm", "MPI_Info"):
        return p.type.upper().replace("MPI_", ""), "{0}"
    if p.type == "void *" and p.name in ("mem",):
        return "MEMORY", "{0}"
    for pattern, kind in STRUCTURES:
        if p.type == pattern:
            return kind, "{0}"
    if p.name == "ref" and p.type.endswith("void *"):
        return ("REGION" if "region" in function.name else "REFERENCE"), "{0}"
    if p.name == "driver_info":
        return "DRIVER_INFO", "{0}"
    if function.name == "H5Zregister":
        return "FILTER_CLASS", "{0}"
    if p.type.endswith("*"):
        if "_chunk" in function.name and p.name == "offset":
            return "BYTES", "{0}"
        if re.match("hid_t", p.type) and re.search("type|space", p.name):
            return ("IDS", f"{{.good_id = GOOD_{'TYPE' if 'type' in p.name else 'SPACE'}}}")
        if p.type.startswith("hid_t"):
            return "IDS", "{.good_id = GOOD_DATASET}"
        word = "ONES" if re.match(r"const hs?size_t", p.type) or function.name == "H5Tenum_insert" else "BYTES"
        return word, "{0}"
    if p.type == "double":
        return "REAL", "{0}"
    if p.type == "hbool_t":
        return "BOOL", "{.number = 1}"
    if p.type == "int" and not p.type.startswith("H5"):
        return "SIGNED", f"{{.number = {number(function, p)}}}"
    if re.match(SCALARS, p.type):
        word = "INDEX" if re.search("idx|index|membno|^n$|startblock|startpoint", p.name) else "UNSIGNED"
        return word, f"{{.number = {number(function, p)}}}"
    value = particular(function, p)
    if p.type.startswith("H5") and value and not value.startswith('"'):
        return "ENUM", f"{{.number = {value}}}"
    if p.type == "H5I_type_t":
        return "ENUM", "{.number = H5I_GROUP}"
    if p.type == "H5Z_filter_t":
        return "ENUM", "{.number = H5Z_FILTER_DEFLATE}"
    if p.type == "H5L_type_t":
        return "ENUM", "{.number = 77}"
    if p.type in ("H5E_major_t", "H5E_minor_t"):
        return "ID", f"{{.good_id = GOOD_{'MAJOR' if 'major' in p.type else 'MINOR'}}}"
    if re.search(r"(func|cb|operator\w*|iterate|func\w*|auto\d|walk\d|allocate|free|traverse|op|conv)_t$|H5[ED]_(auto|walk)\d_t", p.type):
        return "FUNCTION", "{0}"
    return "ENUM", "{.number = 0}"


CALLS = {"ID": "number", "ENUM": "number", "BOOL": "number", "SIGNED": "number", "UNSIGNED": "number", "INDEX": "number", "REAL": "real", "COMM": "comm", "INFO": "info"}


def emit(out):
    table = []
    for function in header_functions.functions():
        kinds = [good(function, p) for p in function.parameters]
        passed = []
        for index, (p, (kind, _)) in enumerate(zip(function.parameters, kinds)):
            passed.append(f"({p.type})a[{index}].{CALLS.get(kind, 'pointer')}")
        call = f"{function.name}({', '.join(passed)})"
        if function.returns == "void":
            body = f"{call}; return 0;"
        elif function.returns.endswith("*"):
            body = f"return {call} == NULL ? -1 : 0;"
        elif function.returns == "H5T_conv_t":
            body = f"return {call} == NULL ? -1 : 0;"
        else:
            body = f"return (long long){call};"
        out.write(f"static long long call_{function.name}(const union value *a) {{ (void)a; {body} }}\n")
        rows = [f'{{"{p.name}", {kind}, {value}}}' for p, (kind, value) in zip(function.parameters, kinds)]
        table.append(f'  {{"{function.name}", call_{function.name}, {len(rows)}, {{{", ".join(rows) or "{0}"}}}}},\n')
    out.write("static const struct function functions[] = {\n" + "".join(table) + "};\n")


emit(sys.stdout)
