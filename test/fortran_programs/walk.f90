! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! A tree of groups with links of all kinds, walked with callbacks as tools do: h5literate_f, h5ovisit_f, and by index.
! Fortran 2003 with module mpi. Arguments: the file.

module walkers
  use, intrinsic :: iso_c_binding
  use hdf5
  implicit none
  type :: counts_t
    integer :: links = 0, soft = 0, groups = 0, sets = 0
    character(len=200) :: names = ''
  end type counts_t

contains

  integer(c_int) function on_link(group, name, info, data) bind(c)
    integer(HID_T), value :: group
    character(kind=c_char), dimension(1:20) :: name
    type(h5l_info_t) :: info
    type(c_ptr), value :: data
    type(counts_t), pointer :: counts
    integer :: i
    call c_f_pointer(data, counts)
    counts%links = counts%links + 1
    if (info%type == H5L_TYPE_SOFT_F) counts%soft = counts%soft + 1
    i = 1
    do while (name(i) /= c_null_char)
      counts%names = trim(counts%names)//name(i)
      i = i + 1
    end do
    counts%names = trim(counts%names)//','
    on_link = 0
  end function on_link

  integer(c_int) function on_object(group, name, info, data) bind(c)
    integer(HID_T), value :: group
    character(kind=c_char), dimension(1:20) :: name
    type(h5o_info_t) :: info
    type(c_ptr), value :: data
    type(counts_t), pointer :: counts
    call c_f_pointer(data, counts)
    if (info%type == H5O_TYPE_GROUP_F) counts%groups = counts%groups + 1
    if (info%type == H5O_TYPE_DATASET_F) counts%sets = counts%sets + 1
    on_object = 0
    if (name(1) == 'z') on_object = 5
  end function on_object
end module walkers

program walk
  use mpi
  use walkers
  implicit none

  integer :: e, rank, i, links, storage, corder, answer
  integer(HID_T) :: fapl, file, group, below, space, set, lists
  integer(HSIZE_T) :: dims(1) = [6], index
  integer(SIZE_T) :: length
  character(len=256) :: name
  character(len=20) :: one
  type(counts_t), target :: counts
  logical :: there

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  if (e /= 0) call stops('h5fcreate_f')
  call h5pcreate_f(H5P_LINK_CREATE_F, lists, e)
  call h5pset_create_inter_group_f(lists, 1, e)
  call h5gcreate_f(file, 'mesh', group, e)
  call h5screate_simple_f(1, dims, space, e)
  do i = 1, 4
    write (one, '(a, i0)') 'block', i
    call h5gcreate_f(group, trim(one), below, e)
    call h5dcreate_f(below, 'values', H5T_NATIVE_INTEGER, space, set, e)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, [i, 2 * i, 3 * i, 4 * i, 5 * i, 6 * i], dims, e)
    call h5dclose_f(set, e)
    call h5gclose_f(below, e)
  end do
  call h5dcreate_f(file, 'far/away', H5T_NATIVE_REAL, space, set, e, lcpl_id=lists)
  if (e /= 0) call stops('groups between')
  call h5dclose_f(set, e)
  call h5lcreate_soft_f('/mesh/block2/values', group, 'shown', e)
  call h5lcreate_hard_f(group, 'block3', file, 'third', e)
  call h5lmove_f(group, 'block4', group, 'last', e)
  call h5lcreate_soft_f('/not/there', group, 'a', e)
  call h5ldelete_f(group, 'a', e)

  index = 0
  call h5literate_f(group, H5_INDEX_NAME_F, H5_ITER_INC_F, index, c_funloc(on_link), c_loc(counts), answer, e)
  if (e /= 0 .or. answer /= 0 .or. index /= 5) call stops('h5literate_f')
  if (counts%links /= 5 .or. counts%soft /= 1) call stops('links')
  if (counts%names /= 'block1,block2,block3,last,shown,') call stops(trim(counts%names))
  call h5ovisit_f(file, H5_INDEX_NAME_F, H5_ITER_INC_F, c_funloc(on_object), c_loc(counts), answer, e)
  if (e /= 0 .or. answer /= 0 .or. counts%groups /= 7 .or. counts%sets /= 5) call stops('h5ovisit_f')
  call h5gget_info_f(group, storage, links, corder, e)
  if (links /= 5) call stops('h5gget_info_f')
  call h5lget_name_by_idx_f(file, 'mesh', H5_INDEX_NAME_F, H5_ITER_DEC_F, 1_HSIZE_T, one, e, length)
  if (e /= 0 .or. length /= 4 .or. one(1:4) /= 'last') call stops('h5lget_name_by_idx_f')
  call h5lexists_f(file, 'mesh/shown', there, e)
  if (.not. there) call stops('a soft link')
  call h5gn_members_f(file, '/', links, e)
  if (links /= 3) call stops('h5gn_members_f')

  call h5pclose_f(lists, e)
  call h5sclose_f(space, e)
  call h5gclose_f(group, e)
  call h5pclose_f(fapl, e)
  call h5fclose_f(file, e)
  if (e /= 0) call stops('h5fclose_f')
  call h5close_f(e)
  if (rank == 0) write (*, '(a)') 'all right'
  call mpi_finalize(e)

contains

  subroutine stops(what)
    character(len=*), intent(in) :: what
    write (*, '(2a)') 'not so: ', what
    call mpi_abort(MPI_COMM_WORLD, 1, e)
  end subroutine stops
end program walk
