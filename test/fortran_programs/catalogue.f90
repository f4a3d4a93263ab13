! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Fortran 2003 and later: a class that holds a file and closes it when it goes away, nested compounds with arrays, enumerated,
! opaque, variable-length and array members, parts of a compound read by themselves, what types say of themselves, points and
! unions of selections, links of each kind, objects copied and visited.
! Room: test/fortran_programs; compiled with libpcio's modules and with libhdf5's.

module stores
  use, intrinsic :: iso_c_binding
  use hdf5
  implicit none

  type, bind(c) :: position_t
    real(c_double) :: x(3)
    real(c_float) :: error
  end type position_t

  type, bind(c) :: star_t
    integer(c_int) :: number
    type(position_t) :: at
    integer(c_signed_char) :: kind
    integer(c_int64_t) :: seen(2)
    character(kind=c_char) :: name(8)
  end type star_t

  type, abstract :: store_t
    integer(HID_T) :: id = -1
  contains
    procedure(make), deferred :: open
    procedure :: close
  end type store_t

  abstract interface
    subroutine make(self, name)
      import :: store_t
      class(store_t), intent(inout) :: self
      character(len=*), intent(in) :: name
    end subroutine make
  end interface

  type, extends(store_t) :: new_store_t
  contains
    procedure :: open => make_new
  end type new_store_t

contains

  subroutine make_new(self, name)
    class(new_store_t), intent(inout) :: self
    character(len=*), intent(in) :: name
    integer :: e
    integer(HID_T) :: list, links
    call h5pcreate_f(H5P_FILE_ACCESS_F, list, e)
    call h5pset_libver_bounds_f(list, H5F_LIBVER_EARLIEST_F, H5F_LIBVER_LATEST_F, e)
    call h5pset_alignment_f(list, 1024_HSIZE_T, 512_HSIZE_T, e)
    call h5pcreate_f(H5P_FILE_CREATE_F, links, e)
    call h5pset_link_creation_order_f(links, ior(H5P_CRT_ORDER_TRACKED_F, H5P_CRT_ORDER_INDEXED_F), e)
    call h5fcreate_f(name, H5F_ACC_TRUNC_F, self%id, e, creation_prp=links, access_prp=list)
    if (e /= 0) error stop 'cannot create'
    call h5pclose_f(list, e)
    call h5pclose_f(links, e)
  end subroutine make_new

  subroutine close(self)
    class(store_t), intent(inout) :: self
    integer :: e
    if (self%id >= 0) call h5fclose_f(self%id, e)
    self%id = -1
  end subroutine close

  !> The type of a star in memory.
  function star_type() result(type)
    integer(HID_T) :: type, place, triple, pair, kinds, name
    type(star_t), target :: s(2)
    integer(c_signed_char), target :: value
    integer :: e, i
    character(len=6), parameter :: names(3) = ['dwarf ', 'giant ', 'pulsar']
    call h5tarray_create_f(H5T_NATIVE_DOUBLE, 1, [3_HSIZE_T], triple, e)
    call h5tarray_create_f(h5kind_to_type(c_int64_t, H5_INTEGER_KIND), 1, [2_HSIZE_T], pair, e)
    call h5tcreate_f(H5T_COMPOUND_F, c_sizeof(s(1)%at), place, e)
    call h5tinsert_f(place, 'x', 0_SIZE_T, triple, e)
    call h5tinsert_f(place, 'error', h5offsetof(c_loc(s(1)%at), c_loc(s(1)%at%error)), H5T_NATIVE_REAL, e)
    call h5tenum_create_f(h5kind_to_type(c_signed_char, H5_INTEGER_KIND), kinds, e)
    do i = 1, 3
      value = int(10 * i, c_signed_char)
      call h5tenum_insert_f(kinds, trim(names(i)), c_loc(value), e)
    end do
    call h5tcopy_f(H5T_FORTRAN_S1, name, e)
    call h5tset_size_f(name, 8_SIZE_T, e)
    call h5tcreate_f(H5T_COMPOUND_F, h5offsetof(c_loc(s(1)), c_loc(s(2))), type, e)
    call h5tinsert_f(type, 'number', h5offsetof(c_loc(s(1)), c_loc(s(1)%number)), H5T_NATIVE_INTEGER, e)
    call h5tinsert_f(type, 'at', h5offsetof(c_loc(s(1)), c_loc(s(1)%at)), place, e)
    call h5tinsert_f(type, 'kind', h5offsetof(c_loc(s(1)), c_loc(s(1)%kind)), kinds, e)
    call h5tinsert_f(type, 'seen', h5offsetof(c_loc(s(1)), c_loc(s(1)%seen)), pair, e)
    call h5tinsert_f(type, 'name', h5offsetof(c_loc(s(1)), c_loc(s(1)%name)), name, e)
    call h5tclose_f(place, e)
    call h5tclose_f(triple, e)
    call h5tclose_f(pair, e)
    call h5tclose_f(kinds, e)
    call h5tclose_f(name, e)
  end function star_type

  integer(c_int) function tell(object, name, info, data) bind(c)
    integer(HID_T), value :: object
    character(kind=c_char), dimension(1:50) :: name
    type(h5o_info_t) :: info
    type(c_ptr), value :: data
    integer, pointer :: number
    integer :: i
    character(len=50) :: text
    call c_f_pointer(data, number)
    text = ' '
    do i = 1, 50
      if (name(i) == c_null_char) exit
      text(i:i) = name(i)
    end do
    print '(a, 3(1x, i0), l2)', trim(text), info%type, info%rc, info%num_attrs, object >= 0
    number = number + 1
    tell = 0
  end function tell
end module stores

program catalogue
  use mpi
  use stores
  implicit none
  class(store_t), allocatable :: store
  integer :: e, rank
  character(len=200) :: name

  call mpi_init(e)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call get_command_argument(1, name)
  call h5open_f(e)
  if (rank == 0) then
    allocate (new_store_t :: store)
    call store%open(name)
    call stars(store%id)
    call points(store%id)
    call links(store%id)
    call store%close()
  end if
  call h5close_f(e)
  call mpi_finalize(e)
  if (rank == 0) print '(a)', 'all right'

contains

  subroutine stars(file)
    integer(HID_T), intent(in) :: file
    type(star_t), target :: s(6), back(6)
    integer(HID_T) :: memory, packed, space, set, part, place, member, enum, list, own
    real(c_float), target :: errors(6)
    integer(c_int), target :: numbers(6)
    type(star_t), target :: filling
    integer :: i, e, class, count, index
    integer(SIZE_T) :: bytes, length
    integer(HSIZE_T) :: dims(1), array(1)
    character(len=20) :: text
    integer(c_signed_char), target :: value
    logical :: same
    type(c_ptr) :: where
    do i = 1, 6
      s(i)%number = i
      s(i)%at%x = [0.5d0, 1.5d0, -2d0] * i
      s(i)%at%error = 0.25 * i
      s(i)%kind = int(10 * (1 + mod(i, 3)), c_signed_char)
      s(i)%seen = [2_c_int64_t**40 + i, -7_c_int64_t]
      s(i)%name = transfer('star ' // char(48 + i) // '  ', s(i)%name)
    end do
    memory = star_type()
    call h5tcopy_f(memory, packed, e)
    call h5tpack_f(packed, e)
    call h5tget_size_f(memory, bytes, e)
    call h5tget_size_f(packed, length, e)
    print '(a, 2(1x, i0))', 'sizes', bytes, length
    call h5tcommit_f(file, 'star', packed, e)
    call h5tcommitted_f(packed, same, e)
    print '(a, l1, 1x, i0)', 'committed ', same, e
    dims = 6
    call h5screate_simple_f(1, dims, space, e)
    filling = s(1)
    filling%number = -1
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, e)
    call h5pset_chunk_f(list, 1, [4_HSIZE_T], e)
    call h5pset_fletcher32_f(list, e)
    call h5pset_fill_value_f(list, memory, c_loc(filling), e)
    print '(a, i0)', 'fill value of a compound ', e
    call h5dcreate_f(file, 'stars', packed, space, set, e, list)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [1_HSIZE_T], [4_HSIZE_T], e)
    call h5dwrite_f(set, memory, c_loc(s), e, space, space)
    where = c_loc(back)
    call h5dread_f(set, memory, where, e)
    print '(a, 7(1x, i0))', 'read', e, back%number
    print '(6(i4, 4f6.2, i4, 2i15, 1x, 8a1, /))', back
    ! Parts of it: a member of a member, by a type that has no more.
    call h5tcreate_f(H5T_COMPOUND_F, 4_SIZE_T, part, e)
    call h5tcreate_f(H5T_COMPOUND_F, 4_SIZE_T, place, e)
    call h5tinsert_f(place, 'error', 0_SIZE_T, H5T_NATIVE_REAL, e)
    call h5tinsert_f(part, 'at', 0_SIZE_T, place, e)
    errors = -1
    where = c_loc(errors)
    call h5dread_f(set, part, where, e)
    print '(a, i0, 6f6.2)', 'errors ', e, errors
    call h5tclose_f(part, e)
    call h5tcreate_f(H5T_COMPOUND_F, 4_SIZE_T, part, e)
    call h5tinsert_f(part, 'number', 0_SIZE_T, H5T_NATIVE_INTEGER, e)
    numbers = [(100 * i, i = 1, 6)]
    call h5dwrite_f(set, part, c_loc(numbers), e)
    where = c_loc(back)
    call h5dread_f(set, memory, where, e)
    print '(a, 6(1x, i0), 6f6.2)', 'numbers', back%number, back%at%error
    ! What the type in the file says.
    call h5dget_type_f(set, own, e)
    call h5tequal_f(own, packed, same, e)
    print '(a, l1)', 'equal ', same
    call h5tget_nmembers_f(own, count, e)
    do i = 0, count - 1
      text = '?'
      call h5tget_member_name_f(own, i, text, index, e)
      print '(a, 2(1x, i0))', 'member ' // trim(text), index, e
      call h5tget_member_index_f(own, trim(text), index, e)
      call h5tget_member_offset_f(own, i, bytes, e)
      call h5tget_member_class_f(own, i, class, e)
      call h5tget_member_type_f(own, i, member, e)
      call h5tget_size_f(member, length, e)
      print '(4(1x, i0), l2)', index, bytes, length, e, class == H5T_ARRAY_F
      if (class == H5T_ARRAY_F) then
        call h5tget_array_ndims_f(member, index, e)
        call h5tget_array_dims_f(member, array, e)
        print '(a, 2(1x, i0))', 'array', index, array
      else if (class == H5T_ENUM_F) then
        enum = member
        call h5tget_nmembers_f(enum, index, e)
        value = 30
        text = '?'
        call h5tget_super_f(enum, place, e)
        call h5tget_size_f(place, bytes, e)
        print '(a, 3(1x, i0))', 'enum', index, bytes, e
      end if
      call h5tclose_f(member, e)
    end do
    call h5tget_class_f(own, class, e)
    print '(a, l1)', 'compound ', class == H5T_COMPOUND_F
    call h5tclose_f(own, e)
    call h5tclose_f(part, e)
    call h5pclose_f(list, e)
    call h5dclose_f(set, e)
    call h5sclose_f(space, e)
    call h5tclose_f(packed, e)
    call h5tclose_f(memory, e)
  end subroutine stars

  subroutine points(file)
    integer(HID_T), intent(in) :: file
    integer(HID_T) :: space, other, memory, set
    integer(HSIZE_T) :: at(2, 4), start(2), most(2), list(8), blocks(8)
    integer(HSSIZE_T) :: n
    integer :: i, e, class, a(6, 5), b(4)
    logical :: valid
    a = reshape([(i, i = 1, 30)], shape(a))
    call h5screate_simple_f(2, [6_HSIZE_T, 5_HSIZE_T], space, e)
    call h5dcreate_f(file, 'points', H5T_STD_I16BE, space, set, e)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, a, [6_HSIZE_T, 5_HSIZE_T], e)
    at = reshape([1, 1, 6, 5, 2, 4, 3, 3], [2, 4])
    call h5sselect_elements_f(space, H5S_SELECT_SET_F, 2, 4_SIZE_T, at, e)
    call h5sget_select_type_f(space, class, e)
    call h5sget_select_elem_npoints_f(space, n, e)
    list = -1
    call h5sget_select_elem_pointlist_f(space, 0_HSIZE_T, 4_HSIZE_T, list, e)
    print '(a, l2, 9(1x, i0))', 'points', class == H5S_SEL_POINTS_F, n, list
    call h5sget_select_bounds_f(space, start, most, e)
    print '(a, 4(1x, i0))', 'bounds', start, most
    call h5screate_simple_f(1, [4_HSIZE_T], memory, e)
    call h5dread_f(set, H5T_NATIVE_INTEGER, b, [4_HSIZE_T], e, memory, space)
    print '(a, 5(1x, i0))', 'read', e, b
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [0_HSIZE_T, 0_HSIZE_T], [2_HSIZE_T, 2_HSIZE_T], e)
    call h5sselect_hyperslab_f(space, H5S_SELECT_OR_F, [4_HSIZE_T, 3_HSIZE_T], [2_HSIZE_T, 2_HSIZE_T], e)
    call h5sget_select_hyper_nblocks_f(space, n, e)
    blocks = -1
    call h5sget_select_hyper_blocklist_f(space, 0_HSIZE_T, 2_HSIZE_T, blocks, e)
    print '(a, 9(1x, i0))', 'blocks', n, blocks
    call h5soffset_simple_f(space, [0_HSSIZE_T, 1_HSSIZE_T], e)
    call h5sselect_valid_f(space, valid, e)
    print '(a, l2)', 'beyond', valid
    call h5scopy_f(space, other, e)
    call h5sextent_equal_f(space, other, valid, e)
    print '(a, l2)', 'same extent', valid
    call h5sclose_f(other, e)
    call h5sclose_f(memory, e)
    call h5sclose_f(space, e)
    call h5dclose_f(set, e)
  end subroutine points

  subroutine links(file)
    integer(HID_T), intent(in) :: file
    integer(HID_T) :: group, list, again
    integer(HADDR_T) :: address
    integer(SIZE_T) :: bytes
    integer :: e, kind, count, order, set
    logical :: is
    integer, target :: number
    character(len=30) :: text
    call h5pcreate_f(H5P_LINK_CREATE_F, list, e)
    call h5pset_create_inter_group_f(list, 1, e)
    call h5gcreate_f(file, 'a/b/c', group, e, lcpl_id=list)
    print '(a, i0)', 'groups on the way ', e
    call h5lcreate_hard_f(file, 'points', group, 'hard', e)
    call h5lcreate_soft_f('/a/b', group, 'soft', e)
    call h5lcreate_soft_f('/nowhere', group, 'dangling', e)
    call h5lcreate_external_f('no such file.h5', '/x', group, 'outside', e)
    call h5lexists_f(group, 'hard', is, e)
    print '(a, l1)', 'hard ', is
    call h5oexists_by_name_f(group, 'dangling', is, e)
    print '(a, l1, 1x, i0)', 'dangling ', is, e
    call h5lget_info_f(group, 'soft', set, order, is, kind, address, bytes, e)
    print '(a, l2, 3(1x, i0))', 'soft', kind == H5L_TYPE_SOFT_F, bytes, set, e
    text = '?'
    call h5lget_name_by_idx_f(file, 'a/b/c', H5_INDEX_NAME_F, H5_ITER_DEC_F, 0_HSIZE_T, text, e, bytes)
    print '(3a, 2(1x, i0))', '[', trim(text), ']', bytes, e
    call h5lmove_f(group, 'dangling', file, 'moved', e)
    call h5ocopy_f(file, 'a', file, 'copy', e)
    print '(a, i0)', 'copy ', e
    call h5gget_info_f(file, kind, count, order, e)
    print '(a, 3(1x, i0))', 'group', count, order, e
    call h5ldelete_f(file, 'moved', e)
    call h5oset_comment_f(group, 'what it is', e)
    text = '?'
    call h5oget_comment_f(group, text, e, bytes)
    print '(3a, 2(1x, i0))', '[', trim(text), ']', bytes, e
    call h5iget_name_f(group, text, int(len(text), SIZE_T), bytes, e)
    print '(3a, 2(1x, i0))', '[', trim(text), ']', bytes, e
    call h5iget_file_id_f(group, again, e)
    print '(a, l1)', 'the same file ', again == file
    call h5fclose_f(again, e)
    call h5gclose_f(group, e)
    call h5pclose_f(list, e)
    number = 0
    call h5ovisit_f(file, H5_INDEX_NAME_F, H5_ITER_INC_F, c_funloc(tell), c_loc(number), kind, e)
    print '(a, 3(1x, i0))', 'visited', number, kind, e
  end subroutine links
end program catalogue
