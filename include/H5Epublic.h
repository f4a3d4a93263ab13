/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Error stacks (room: include).
 *
 * One stack per thread; each call but those here clears it at entry and pushes frames as it fails,
 * the innermost first. By default a failing call prints its stack to stderr. A stack holds 32
 * frames. Nothing here communicates.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Epublic_H
#define H5Epublic_H

#include <stdio.h>

#include "H5Ipublic.h"
#include "H5public.h"

/** \defgroup H5E H5E: error stacks
 *  @{ */

#define H5E_DEFAULT 0 /**< The calling thread's own stack. */

/** Kinds of messages. */
typedef enum H5E_type_t {
  H5E_MAJOR = 0, /**< In which part. */
  H5E_MINOR = 1  /**< What went wrong. */
} H5E_type_t;

/** Which way a stack is walked. */
typedef enum H5E_direction_t {
  H5E_WALK_UPWARD = 0,  /**< From the innermost frame. */
  H5E_WALK_DOWNWARD = 1 /**< From the outermost frame. */
} H5E_direction_t;

/** One frame of a stack. */
typedef struct H5E_error2_t {
  hid_t cls_id;          /**< Error class. */
  hid_t maj_num;         /**< Major. */
  hid_t min_num;         /**< Minor. */
  unsigned line;         /**< Line in the file. */
  const char *func_name; /**< Function. */
  const char *file_name; /**< File. */
  const char *desc;      /**< Description: argument and reason. */
} H5E_error2_t;

#ifdef __cplusplus
extern "C" {
#endif

/** The library's error class; its majors and minors are in H5Epubgen.h. */
#define H5E_ERR_CLS (H5OPEN H5E_ERR_CLS_g)
/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5E_ERR_CLS_g;
/** \endcond */

/**
 * Called by H5Ewalk2() for each frame.
 *
 * \param n Number of the frame in the walk, from 0.
 * \param err_desc The frame.
 * \param client_data The caller's.
 * \return 0 goes on, anything else stops.
 */
typedef herr_t (*H5E_walk2_t)(unsigned n, const H5E_error2_t *err_desc, void *client_data);

/**
 * Runs when a call has failed.
 *
 * \param estack The stack: H5E_DEFAULT.
 * \param client_data The caller's.
 * \return Not looked at.
 */
typedef herr_t (*H5E_auto2_t)(hid_t estack, void *client_data);

/** \name Stacks */
/** @{ */
/**
 * Makes an empty stack.
 *
 * \return A new id, to be closed with H5Eclose_stack(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Ecreate_stack(void);

/**
 * Moves the thread's frames into a new stack; the thread's is empty afterwards.
 *
 * \return A new id, to be closed with H5Eclose_stack(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Eget_current_stack(void);

/**
 * Gives the thread the frames of a stack, and closes that one.
 *
 * \param err_stack_id Error stack; H5E_DEFAULT does nothing.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Eset_current_stack(hid_t err_stack_id);

/**
 * Closes a stack.
 *
 * \param stack_id Error stack; H5E_DEFAULT does nothing.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Eclose_stack(hid_t stack_id);

/**
 * Puts a frame on a stack; a 33rd is dropped.
 *
 * \param err_stack Error stack, or H5E_DEFAULT.
 * \param file File; NULL: unknown.
 * \param func Function; NULL: unknown.
 * \param line Line in the file.
 * \param cls_id Error class.
 * \param maj_id Major message.
 * \param min_id Minor message.
 * \param msg Description, a format as of printf(); NULL: none.
 * \param ... What the format names.
 * \return 0, or negative on failure.
 * \local
 * \errors A class or message that isn't one.
 */
H5_DLL herr_t H5Epush2(hid_t err_stack, const char *file, const char *func, unsigned line,
                       hid_t cls_id, hid_t maj_id, hid_t min_id, const char *msg, ...);

/**
 * Takes the outermost frames from a stack.
 *
 * \param err_stack Error stack, or H5E_DEFAULT.
 * \param count How many; more than there are empty it.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Epop(hid_t err_stack, size_t count);

/**
 * Empties a stack.
 *
 * \param err_stack Error stack, or H5E_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Eclear2(hid_t err_stack);

/**
 * Counts the frames of a stack.
 *
 * \param error_stack_id Error stack, or H5E_DEFAULT.
 * \return Frames, or negative on failure.
 * \local
 */
H5_DLL ssize_t H5Eget_num(hid_t error_stack_id);

/**
 * Calls a function for each frame.
 *
 * \param err_stack Error stack, or H5E_DEFAULT.
 * \param direction Which way.
 * \param func The function; NULL: nothing is done.
 * \param client_data Handed to the function; may be NULL.
 * \return 0, the answer that stopped it, or negative on failure.
 * \local
 * \errors No such direction.
 */
H5_DLL herr_t H5Ewalk2(hid_t err_stack, H5E_direction_t direction, H5E_walk2_t func,
                       void *client_data);

/**
 * Prints a stack.
 *
 * \param err_stack Error stack, or H5E_DEFAULT.
 * \param stream Where to; NULL: stderr.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Eprint2(hid_t err_stack, FILE *stream);
/** @} */

/** \name What happens by itself when a call fails */
/** @{ */
/**
 * Tells what H5Eset_auto2() set.
 *
 * \param estack_id Error stack, or H5E_DEFAULT.
 * \param func Set to the function, NULL for silence; may be NULL.
 * \param client_data Set to its data; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors It was set with H5Eset_auto1().
 */
H5_DLL herr_t H5Eget_auto2(hid_t estack_id, H5E_auto2_t *func, void **client_data);

/**
 * Sets the function that runs when a call has failed.
 *
 * \param estack_id Error stack, or H5E_DEFAULT.
 * \param func The function; NULL: silence.
 * \param client_data Handed to the function; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Eset_auto2(hid_t estack_id, H5E_auto2_t func, void *client_data);

/**
 * Tells in which form the function was set.
 *
 * \param err_stack Error stack, or H5E_DEFAULT.
 * \param is_stack Set to 1 for H5Eset_auto2(), 0 for H5Eset_auto1(); may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Eauto_is_v2(hid_t err_stack, unsigned *is_stack);
/** @} */

/** \name Error classes and messages of a program's own */
/** @{ */
/**
 * Makes an error class.
 *
 * \param cls_name Its name.
 * \param lib_name Name of the program or library.
 * \param version Version of that.
 * \return A new id, to be closed with H5Eunregister_class(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Eregister_class(const char *cls_name, const char *lib_name, const char *version);

/**
 * Closes an error class with its messages.
 *
 * \param class_id Error class.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Eunregister_class(hid_t class_id);

/**
 * The name of an error class.
 *
 * \param class_id Error class.
 * \param name For the text, cut, with NUL; may be NULL.
 * \param size Bytes of the text.
 * \return Length without NUL, or negative on failure.
 * \local
 */
H5_DLL ssize_t H5Eget_class_name(hid_t class_id, char *name, size_t size);

/**
 * Makes a message of a class.
 *
 * \param cls Error class.
 * \param msg_type H5E_MAJOR or H5E_MINOR.
 * \param msg The text.
 * \return A new id, to be closed with H5Eclose_msg(); negative on failure.
 * \local
 * \errors Another type.
 */
H5_DLL hid_t H5Ecreate_msg(hid_t cls, H5E_type_t msg_type, const char *msg);

/**
 * Closes a message.
 *
 * \param err_id Message.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Eclose_msg(hid_t err_id);

/**
 * The text of a message.
 *
 * \param msg_id Message.
 * \param type Set to its type; may be NULL.
 * \param msg For the text, cut, with NUL; may be NULL.
 * \param size Bytes of the text.
 * \return Length without NUL, or negative on failure.
 * \local
 */
H5_DLL ssize_t H5Eget_msg(hid_t msg_id, H5E_type_t *type, char *msg, size_t size);
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS

/** \name The forms of HDF5 1.6 */
/** @{ */
typedef hid_t H5E_major_t; /**< A major message. */
typedef hid_t H5E_minor_t; /**< A minor message. */

/** One frame of a stack. */
typedef struct H5E_error1_t {
  H5E_major_t maj_num;   /**< Major. */
  H5E_minor_t min_num;   /**< Minor. */
  const char *func_name; /**< Function. */
  const char *file_name; /**< File. */
  unsigned line;         /**< Line in the file. */
  const char *desc;      /**< Description: argument and reason. */
} H5E_error1_t;

/**
 * Called by H5Ewalk1() for each frame.
 *
 * \param n Number of the frame in the walk, from 0.
 * \param err_desc The frame.
 * \param client_data The caller's.
 * \return 0 goes on, anything else stops.
 */
typedef herr_t (*H5E_walk1_t)(int n, H5E_error1_t *err_desc, void *client_data);

/**
 * Runs when a call has failed.
 *
 * \param client_data The caller's.
 * \return Not looked at.
 */
typedef herr_t (*H5E_auto1_t)(void *client_data);

/**
 * Empties the thread's stack.
 *
 * \return 0, or negative on failure.
 * \local
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Eclear1(void);

/**
 * Puts a frame of the library's class on the thread's stack.
 *
 * \param file File; NULL: unknown.
 * \param func Function; NULL: unknown.
 * \param line Line in the file.
 * \param maj Major message.
 * \param min Minor message.
 * \param str Description; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors A message that isn't one.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Epush1(const char *file, const char *func, unsigned line, H5E_major_t maj,
                       H5E_minor_t min, const char *str);

/**
 * Calls a function for each frame of the thread's stack.
 *
 * \param direction Which way.
 * \param func The function; NULL: nothing is done.
 * \param client_data Handed to the function; may be NULL.
 * \return 0, also where func stopped it with a positive number; negative on failure.
 * \local
 * \errors No such direction.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Ewalk1(H5E_direction_t direction, H5E_walk1_t func, void *client_data);

/**
 * Prints the thread's stack.
 *
 * \param stream Where to; NULL: stderr.
 * \return 0, or negative on failure.
 * \local
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Eprint1(FILE *stream);

/**
 * Tells what H5Eset_auto1() set.
 *
 * \param func Set to the function, NULL for silence; may be NULL.
 * \param client_data Set to its data; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors It was set with H5Eset_auto2().
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Eget_auto1(H5E_auto1_t *func, void **client_data);

/**
 * Sets the function that runs when a call has failed.
 *
 * \param func The function; NULL: silence.
 * \param client_data Handed to the function; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Eset_auto1(H5E_auto1_t func, void *client_data);

/**
 * The text of a major message.
 *
 * \param maj Major message.
 * \return The text, freed by the caller with free(); NULL on failure.
 * \local
 * \errors Not a major message.
 * \source HDF5 1.6
 */
H5_DLL char *H5Eget_major(H5E_major_t maj);

/**
 * The text of a minor message.
 *
 * \param min Minor message.
 * \return The text, freed by the caller with free(); NULL on failure.
 * \local
 * \errors Not a minor message.
 * \source HDF5 1.6
 */
H5_DLL char *H5Eget_minor(H5E_minor_t min);
/** @} */

#endif

#ifdef __cplusplus
}
#endif

/*
 * Between these two a failing call prints nothing; the setting before, of either form, comes back.
 * They open and close one block, so use both in the same scope.
 */
#ifndef H5_NO_DEPRECATED_SYMBOLS

/** \name Failing without a word, and frames of a program's own */
/** @{ */
/**
 * From here to H5E_END_TRY a failing call prints nothing. The two open and close one block, so both
 * stand in one scope.
 */
#define H5E_BEGIN_TRY                                                     \
  {                                                                       \
    unsigned pcio_try_is_v2_ = 1;                                         \
    H5E_auto1_t pcio_try_func1_ = NULL;                                   \
    H5E_auto2_t pcio_try_func2_ = NULL;                                   \
    void *pcio_try_data_ = NULL;                                          \
    (void)H5Eauto_is_v2(H5E_DEFAULT, &pcio_try_is_v2_);                   \
    if (pcio_try_is_v2_)                                                  \
      (void)H5Eget_auto2(H5E_DEFAULT, &pcio_try_func2_, &pcio_try_data_); \
    else                                                                  \
      (void)H5Eget_auto1(&pcio_try_func1_, &pcio_try_data_);              \
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);

/**
 * Ends what H5E_BEGIN_TRY began: the function set before, of either form, comes back.
 */
#define H5E_END_TRY                                                   \
  if (pcio_try_is_v2_)                                                \
    (void)H5Eset_auto2(H5E_DEFAULT, pcio_try_func2_, pcio_try_data_); \
  else                                                                \
    (void)H5Eset_auto1(pcio_try_func1_, pcio_try_data_);              \
  }
/** @} */
#else

/** \name Failing without a word, and frames of a program's own */
/** @{ */
/**
 * From here to H5E_END_TRY a failing call prints nothing. The two open and close one block, so both
 * stand in one scope.
 */
#define H5E_BEGIN_TRY                                                   \
  {                                                                     \
    H5E_auto2_t pcio_try_func2_ = NULL;                                 \
    void *pcio_try_data_ = NULL;                                        \
    (void)H5Eget_auto2(H5E_DEFAULT, &pcio_try_func2_, &pcio_try_data_); \
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);

/**
 * Ends what H5E_BEGIN_TRY began: the function set before, of either form, comes back.
 */
#define H5E_END_TRY                                                 \
  (void)H5Eset_auto2(H5E_DEFAULT, pcio_try_func2_, pcio_try_data_); \
  }
/** @} */
#endif

/**
 * Puts a frame with the place of the call on the thread's stack.
 *
 * \param func Function.
 * \param cls Error class.
 * \param maj Major message.
 * \param min Minor message.
 * \param str Description.
 */
#define H5Epush_sim(func, cls, maj, min, str) \
  H5Epush2(H5E_DEFAULT, __FILE__, func, __LINE__, cls, maj, min, str)
/**
 * H5Epush_sim(), then returns a value.
 *
 * \param func Function.
 * \param cls Error class.
 * \param maj Major message.
 * \param min Minor message.
 * \param str Description.
 * \param ret The value.
 */
#define H5Epush_ret(func, cls, maj, min, str, ret) \
  do {                                             \
    H5Epush_sim(func, cls, maj, min, str);         \
    return (ret);                                  \
  } while (0)
/**
 * H5Epush_sim(), then jumps to a label.
 *
 * \param func Function.
 * \param cls Error class.
 * \param maj Major message.
 * \param min Minor message.
 * \param str Description.
 * \param label The label.
 */
#define H5Epush_goto(func, cls, maj, min, str, label) \
  do {                                                \
    H5Epush_sim(func, cls, maj, min, str);            \
    goto label;                                       \
  } while (0)

#include "H5Epubgen.h"

/** @} */

#endif
