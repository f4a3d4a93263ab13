// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: data transfer lists, except what is parallel (H5Pmpio.cpp).

#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

herr_t H5Pset_buffer(hid_t plist_id, size_t size, void* tconv, void* bkg) {
  return set_props<TransferProps>("H5Pset_buffer", plist_id, [&](auto& props) -> Status {
    if (size == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument size is zero");
    props.buffer_size = size;
    props.conversion_buffer = tconv;
    props.background_buffer = bkg;
    return Status();
  });
}

// 0 is the failure value here.
size_t H5Pget_buffer(hid_t plist_id, void** tconv, void** bkg) {
  return api_value("H5Pget_buffer", size_t{0}, [&]() -> Result<size_t> {
    PCIO_ASSIGN(auto props, props_of<TransferProps>(plist_id, "plist_id"));
    if (tconv != nullptr) *tconv = props->conversion_buffer;
    if (bkg != nullptr) *bkg = props->background_buffer;
    return props->buffer_size;
  });
}

herr_t H5Pset_preserve(hid_t plist_id, hbool_t status) {
  return set_props<TransferProps>("H5Pset_preserve", plist_id,
                                  [&](auto& props) { props.preserve = status; });
}

int H5Pget_preserve(hid_t plist_id) {
  return api_int("H5Pget_preserve", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto props, props_of<TransferProps>(plist_id, "plist_id"));
    return props->preserve;
  });
}

herr_t H5Pset_edc_check(hid_t plist_id, H5Z_EDC_t check) {
  return set_props<TransferProps>("H5Pset_edc_check", plist_id, [&](auto& props) -> Status {
    if (!is_between(check, H5Z_DISABLE_EDC, H5Z_ENABLE_EDC))
      return PCIO_ERROR(ARGS, BADVALUE, "argument check: neither enable nor disable");
    props.checksum = static_cast<ChecksumCheck>(check);
    return Status();
  });
}

H5Z_EDC_t H5Pget_edc_check(hid_t plist_id) {
  return api_value("H5Pget_edc_check", H5Z_ERROR_EDC, [&]() -> Result<H5Z_EDC_t> {
    PCIO_ASSIGN(auto props, props_of<TransferProps>(plist_id, "plist_id"));
    return static_cast<H5Z_EDC_t>(props->checksum);
  });
}

herr_t H5Pset_btree_ratios(hid_t plist_id, double left, double middle, double right) {
  return set_props<TransferProps>("H5Pset_btree_ratios", plist_id, [&](auto& props) -> Status {
    for (double ratio : {left, middle, right})
      if (!(ratio >= 0 && ratio <= 1))
        return PCIO_ERROR(ARGS, BADVALUE, "a split ratio is not in 0..1");
    props.btree_left = left;
    props.btree_middle = middle;
    props.btree_right = right;
    return Status();
  });
}

herr_t H5Pget_btree_ratios(hid_t plist_id, double* left, double* middle, double* right) {
  return get_props<TransferProps>("H5Pget_btree_ratios", plist_id, [&](auto& props) {
    store(left, props.btree_left);
    store(middle, props.btree_middle);
    store(right, props.btree_right);
  });
}

herr_t H5Pset_hyper_vector_size(hid_t plist_id, size_t size) {
  return set_props<TransferProps>("H5Pset_hyper_vector_size", plist_id, [&](auto& props) -> Status {
    if (size == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument size is zero");
    props.hyper_vector_size = size;
    return Status();
  });
}

herr_t H5Pget_hyper_vector_size(hid_t fapl_id, size_t* size) {
  return get_props<TransferProps>("H5Pget_hyper_vector_size", {fapl_id, "fapl_id"},
                                  [&](auto& props) { store(size, props.hyper_vector_size); });
}

// Parsed here, so that a bad expression is an error before any data moves; the old one is then kept.
herr_t H5Pset_data_transform(hid_t plist_id, const char* expression) {
  return set_props<TransferProps>("H5Pset_data_transform", plist_id, [&](auto& props) -> Status {
    PCIO_ASSIGN(std::string text, text_argument(expression, "expression"));
    PCIO_ASSIGN(DataTransform transform, DataTransform::parse(text));
    props.transform = std::make_shared<const DataTransform>(std::move(transform));
    props.data_transform = std::move(text);
    return Status();
  });
}

ssize_t H5Pget_data_transform(hid_t plist_id, char* expression, size_t size) {
  return api_value("H5Pget_data_transform", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto props, props_of<TransferProps>(plist_id, "plist_id"));
    if (props->data_transform.empty())
      return PCIO_ERROR(PLIST, NOTFOUND, "the list has no data transform");
    return copy_text(props->data_transform, expression, size);
  });
}

// ---- callbacks ---------------------------------------------------------------------------------
// Values hold them without their C types; they are cast back where they are called.

namespace {

template <class Function>
Callback as_callback(Function* function, void* data) {
  return {reinterpret_cast<void (*)()>(function), data};
}

template <class Function>
void read_callback(const Callback& callback, Function** function, void** data) {
  if (function != nullptr) *function = reinterpret_cast<Function*>(callback.function);
  if (data != nullptr) *data = callback.data;
}

}  // namespace

herr_t H5Pset_type_conv_cb(hid_t dxpl_id, H5T_conv_except_func_t op, void* operate_data) {
  return set_props<TransferProps>("H5Pset_type_conv_cb", {dxpl_id, "dxpl_id"}, [&](auto& props) {
    props.conversion_exception = as_callback(op, operate_data);
  });
}

herr_t H5Pget_type_conv_cb(hid_t dxpl_id, H5T_conv_except_func_t* op, void** operate_data) {
  return get_props<TransferProps>("H5Pget_type_conv_cb", {dxpl_id, "dxpl_id"}, [&](auto& props) {
    read_callback(props.conversion_exception, op, operate_data);
  });
}

herr_t H5Pset_filter_callback(hid_t plist_id, H5Z_filter_func_t func, void* op_data) {
  return set_props<TransferProps>("H5Pset_filter_callback", plist_id, [&](auto& props) {
    props.filter_failure = as_callback(func, op_data);
  });
}

herr_t pcio_get_filter_callback(hid_t dxpl_id, H5Z_filter_func_t* func, void** op_data) {
  return get_props<TransferProps>(
      "pcio_get_filter_callback", {dxpl_id, "dxpl_id"},
      [&](auto& props) { read_callback(props.filter_failure, func, op_data); });
}

herr_t H5Pset_vlen_mem_manager(hid_t plist_id, H5MM_allocate_t alloc_func, void* alloc_info,
                               H5MM_free_t free_func, void* free_info) {
  return set_props<TransferProps>("H5Pset_vlen_mem_manager", plist_id, [&](auto& props) {
    props.vlen_allocate = as_callback(alloc_func, alloc_info);
    props.vlen_free = as_callback(free_func, free_info);
  });
}

herr_t H5Pget_vlen_mem_manager(hid_t plist_id, H5MM_allocate_t* alloc_func, void** alloc_info,
                               H5MM_free_t* free_func, void** free_info) {
  return get_props<TransferProps>("H5Pget_vlen_mem_manager", plist_id, [&](auto& props) {
    read_callback(props.vlen_allocate, alloc_func, alloc_info);
    read_callback(props.vlen_free, free_func, free_info);
  });
}
