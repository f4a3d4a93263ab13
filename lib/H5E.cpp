// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5E: classes and messages of errors.
//
// H5E calls leave the error stack alone unless changing it is what they do.

#include <cstdlib>
#include <cstring>

#include "lib/api_entry.hpp"
#include "lib/enum_argument.hpp"
#include "lib/error_stack.hpp"
#include "lib/text_argument.hpp"

using namespace pcio;

hid_t H5Eregister_class(const char* cls_name, const char* lib_name, const char* version) {
  return api_entry_keep("H5Eregister_class", hid_t{-1}, [&]() -> Result<hid_t> {
    PCIO_ASSIGN(std::string name, text_argument(cls_name, "cls_name"));
    PCIO_ASSIGN(std::string library, text_argument(lib_name, "lib_name"));
    PCIO_ASSIGN(std::string release, text_argument(version, "version"));
    return make_id<ErrorClassObject>(std::move(name), std::move(library), std::move(release));
  });
}

namespace {

/// Messages end with their class. Source: HDF5 Reference Manual, H5Eunregister_class.
void close_messages_of(const ErrorClassObject* cls) {
  constexpr auto kType = IdType::kErrorMessage;
  for (HandleId id : handles().ids(static_cast<unsigned>(kType))) {
    auto message = get<ErrorMessageObject>(id, "message");
    if (message && (*message)->cls.get() == cls) (void)close_id(id, kType, "message");
  }
}

}  // namespace

herr_t H5Eunregister_class(hid_t class_id) {
  return api_entry_keep("H5Eunregister_class", herr_t{-1}, [&]() -> Status {
    PCIO_ASSIGN(auto cls, get<ErrorClassObject>(class_id, "class_id"));
    PCIO_TRY(close_id(class_id, IdType::kErrorClass, "class_id"));
    close_messages_of(cls.get());
    return Status();
  });
}

ssize_t H5Eget_class_name(hid_t class_id, char* name, size_t size) {
  return api_entry_keep("H5Eget_class_name", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto cls, get<ErrorClassObject>(class_id, "class_id"));
    return copy_text(cls->name, name, size);
  });
}

hid_t H5Ecreate_msg(hid_t cls, H5E_type_t msg_type, const char* msg) {
  return api_entry_keep("H5Ecreate_msg", hid_t{-1}, [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto owner, get<ErrorClassObject>(cls, "cls"));
    if (!is_between(msg_type, H5E_MAJOR, H5E_MINOR))
      return PCIO_ERROR(ARGS, BADVALUE, "argument msg_type: neither H5E_MAJOR nor H5E_MINOR");
    PCIO_ASSIGN(std::string text, text_argument(msg, "msg"));
    return make_id<ErrorMessageObject>(std::move(owner), msg_type, std::move(text));
  });
}

herr_t H5Eclose_msg(hid_t err_id) {
  return api_entry_keep("H5Eclose_msg", herr_t{-1}, [&]() -> Status {
    return close_id(err_id, IdType::kErrorMessage, "err_id");
  });
}

ssize_t H5Eget_msg(hid_t msg_id, H5E_type_t* type, char* msg, size_t size) {
  return api_entry_keep("H5Eget_msg", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto message, get<ErrorMessageObject>(msg_id, "msg_id"));
    if (type != nullptr) *type = message->kind;
    return copy_text(message->text, msg, size);
  });
}

// ---- the 1.6 form: texts that the caller frees -------------------------------------------------

namespace {

Result<char*> text_of_message(hid_t id, H5E_type_t kind, const char* argument) {
  PCIO_ASSIGN(auto message, get<ErrorMessageObject>(id, argument));
  if (message->kind != kind)
    return PCIO_ERROR(ARGS, BADTYPE, std::string("argument ") + argument + ": wrong message type");
  char* text = strdup(message->text.c_str());
  if (text == nullptr) return PCIO_ERROR(RESOURCE, NOSPACE, "out of memory");
  return text;
}

}  // namespace

char* H5Eget_major(H5E_major_t maj) {
  return api_entry_keep("H5Eget_major", static_cast<char*>(nullptr),
                        [&]() -> Result<char*> { return text_of_message(maj, H5E_MAJOR, "maj"); });
}

char* H5Eget_minor(H5E_minor_t min) {
  return api_entry_keep("H5Eget_minor", static_cast<char*>(nullptr),
                        [&]() -> Result<char*> { return text_of_message(min, H5E_MINOR, "min"); });
}
