! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! The job of heat.c in Fortran: solves the 2-D heat equation on any number of ranks, writes every
! step into one chunked dataset that grows by a step a time, with one collective write a step, opens
! the file again and lets each rank check what another rank wrote. The field is that of heat.c, bit
! for bit: the same expressions, and no fused multiply-add (-ffp-contract=off).
! Room: examples. Fortran 2003; modules hdf5 and mpi.
!
!   mpirun -n 4 heat_f [--steps N] [--nx N] [--ny N] [--output FILE]

module heat_solver
  use, intrinsic :: iso_c_binding, only: c_double
  implicit none
  private
  public :: dp, plain_initial, advance

  integer, parameter :: dp = c_double

contains

  !> A warm square and a hot spot on a cold plate; rows y0 .. y0 + my - 1 of nx by ny points.
  subroutine plain_initial(u, nx, ny, y0, my)
    integer, intent(in) :: nx, ny, y0, my
    real(dp), intent(inout) :: u(nx, 0:my + 1)
    integer :: x, y, gx, gy
    do y = 1, my
      gy = y0 + y - 1
      do x = 1, nx
        gx = x - 1
        u(x, y) = 0.0_dp
        if (4 * gy >= ny .and. 2 * gy <= ny .and. 4 * gx >= nx .and. 2 * gx <= nx) &
            u(x, y) = 100.0_dp
        if (4 * gy >= 3 * ny - 8 .and. 4 * gy <= 3 * ny + 8 .and. &
            4 * gx >= 3 * nx - 8 .and. 4 * gx <= 3 * nx + 8) u(x, y) = 400.0_dp
      end do
    end do
  end subroutine plain_initial

  !> One explicit step; the edges of the grid keep their values.
  subroutine advance(u, next, nx, ny, y0, my, cx, cy)
    integer, intent(in) :: nx, ny, y0, my
    real(dp), intent(in) :: u(nx, 0:my + 1), cx, cy
    real(dp), intent(inout) :: next(nx, 0:my + 1)
    real(dp) :: uxx, uyy
    integer :: x, y, gy
    do y = 1, my
      gy = y0 + y - 1
      next(:, y) = u(:, y)
      if (gy == 0 .or. gy == ny - 1) cycle
      do x = 2, nx - 1
        uxx = (u(x - 1, y) - 2.0_dp * u(x, y)) + u(x + 1, y)
        uyy = (u(x, y - 1) - 2.0_dp * u(x, y)) + u(x, y + 1)
        next(x, y) = u(x, y) + (cx * uxx + cy * uyy)
      end do
    end do
  end subroutine advance

end module heat_solver

program heat_f
  use hdf5
  use mpi
  use heat_solver
  implicit none

  character(len=*), parameter :: dataset_name = 'temperature'
  integer :: steps = 100, nx = 192, ny = 128
  character(len=1024) :: output = 'heat_f.h5'
  integer :: mpi_rank, mpi_size, ierr, error
  integer :: used, y0, my, north, south
  real(dp) :: alpha, dx, dy, dt
  real(dp), allocatable :: u(:, :), next(:, :), history(:, :, :)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, mpi_rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, mpi_size, ierr)
  call parse_options()
  call h5open_f(error)
  call agree(error == 0, 'cannot start the library')
  call h5eset_auto_f(0, error)
  call set_up()
  call write_file()
  call verify()
  call h5close_f(error)
  call MPI_Finalize(ierr)

contains

  !> Ends the program on all ranks if one of them failed; the first that did says what.
  subroutine agree(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    integer :: mine, first
    mine = merge(mpi_size, mpi_rank, ok)
    call MPI_Allreduce(mine, first, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, ierr)
    if (first == mpi_size) return
    if (first == mpi_rank) then
      write (*, '(a, i0, 2a)') 'heat_f: rank ', mpi_rank, ': ', what
      call h5eprint_f(error)
    end if
    call MPI_Finalize(ierr)
    stop 1
  end subroutine agree

  subroutine parse_options()
    character(len=1024) :: word, value
    integer :: i, status
    i = 1
    do while (i <= command_argument_count())
      call get_command_argument(i, word)
      call get_command_argument(i + 1, value)
      status = 0
      select case (word)
      case ('--steps')
        read (value, *, iostat=status) steps
      case ('--nx')
        read (value, *, iostat=status) nx
      case ('--ny')
        read (value, *, iostat=status) ny
      case ('--output')
        output = value
      case default
        status = 1
      end select
      call agree(status == 0 .and. value /= '' .and. steps >= 0 .and. nx >= 3 .and. ny >= 3, &
          'usage: heat_f [--steps N] [--nx N] [--ny N] [--output FILE]')
      i = i + 2
    end do
  end subroutine parse_options

  !> Rows for each rank; where there are fewer rows than ranks, the last ranks have none.
  subroutine set_up()
    used = min(mpi_size, ny)
    y0 = 0
    my = 0
    north = MPI_PROC_NULL
    south = MPI_PROC_NULL
    if (mpi_rank < used) then
      y0 = int(int(ny, HSIZE_T) * mpi_rank / used)
      my = int(int(ny, HSIZE_T) * (mpi_rank + 1) / used) - y0
      if (mpi_rank > 0) north = mpi_rank - 1
      if (mpi_rank + 1 < used) south = mpi_rank + 1
    end if
    allocate (u(nx, 0:my + 1), next(nx, 0:my + 1), history(nx, my, 0:steps))
    u = 0.0_dp
    next = 0.0_dp
    alpha = 1.0_dp
    dx = 1.0_dp / (nx - 1)
    dy = 1.0_dp / (ny - 1)
    dt = 0.25_dp / (alpha * (1.0_dp / (dx * dx) + 1.0_dp / (dy * dy)))
    call plain_initial(u, nx, ny, y0, my)
    if (mpi_rank == 0) write (*, '(a, i0, a, i0, a, i0, a, i0, a)') 'heat_f: ', ny, ' x ', nx, &
        ' points, ', steps, ' steps, ', mpi_size, ' ranks'
  end subroutine set_up

  subroutine exchange_rows()
    if (my == 0) return
    call MPI_Sendrecv(u(1, 1), nx, MPI_DOUBLE_PRECISION, north, 1, &
        u(1, my + 1), nx, MPI_DOUBLE_PRECISION, south, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Sendrecv(u(1, my), nx, MPI_DOUBLE_PRECISION, south, 2, &
        u(1, 0), nx, MPI_DOUBLE_PRECISION, north, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine exchange_rows

  function file_access() result(list)
    integer(HID_T) :: list
    call h5pcreate_f(H5P_FILE_ACCESS_F, list, error)
    call h5pset_fapl_mpio_f(list, MPI_COMM_WORLD, MPI_INFO_NULL, error)
    call agree(error == 0, 'no MPI-IO')
  end function file_access

  function collective() result(list)
    integer(HID_T) :: list
    call h5pcreate_f(H5P_DATASET_XFER_F, list, error)
    call h5pset_dxpl_mpio_f(list, H5FD_MPIO_COLLECTIVE_F, error)
  end function collective

  subroutine write_number(object, name, value)
    integer(HID_T), intent(in) :: object
    character(len=*), intent(in) :: name
    real(dp), intent(in) :: value
    integer(HID_T) :: space, attribute
    integer(HSIZE_T) :: dims(1) = 1
    integer :: status
    call h5screate_f(H5S_SCALAR_F, space, status)
    call h5acreate_f(object, name, H5T_NATIVE_DOUBLE, space, attribute, status)
    if (status == 0) call h5awrite_f(attribute, H5T_NATIVE_DOUBLE, value, dims, status)
    call agree(status == 0, 'cannot write attribute ' // name)
    call h5aclose_f(attribute, error)
    call h5sclose_f(space, error)
  end subroutine write_number

  subroutine write_text(object, name, text)
    integer(HID_T), intent(in) :: object
    character(len=*), intent(in) :: name, text
    integer(HID_T) :: space, attribute, type
    integer(HSIZE_T) :: dims(1) = 1
    integer :: status
    call h5tcopy_f(H5T_FORTRAN_S1, type, status)
    call h5tset_size_f(type, int(len(text), SIZE_T), status)
    call h5screate_f(H5S_SCALAR_F, space, status)
    call h5acreate_f(object, name, type, space, attribute, status)
    if (status == 0) call h5awrite_f(attribute, type, text, dims, status)
    call agree(status == 0, 'cannot write attribute ' // name)
    call h5aclose_f(attribute, error)
    call h5sclose_f(space, error)
    call h5tclose_f(type, error)
  end subroutine write_text

  !> Dimensions are the other way round in the file: [time][y][x] there.
  function create_dataset(file) result(dataset)
    integer(HID_T), intent(in) :: file
    integer(HID_T) :: dataset, space, list
    integer(HSIZE_T) :: dims(3), most(3), chunk(3)
    dims = [nx, ny, 0]
    most = [int(nx, HSIZE_T), int(ny, HSIZE_T), H5S_UNLIMITED_F]
    chunk = [min(nx, 64), min(ny, 64), 1]
    call h5screate_simple_f(3, dims, space, error, most)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, error)
    call h5pset_chunk_f(list, 3, chunk, error)
    call h5dcreate_f(file, dataset_name, H5T_NATIVE_DOUBLE, space, dataset, error, list)
    call agree(error == 0, 'cannot create dataset ' // dataset_name)
    call h5pclose_f(list, error)
    call h5sclose_f(space, error)
  end function create_dataset

  !> Selects rows first .. first + rows - 1 of a step; memory is exactly these rows.
  subroutine select_rows(dataset, first, rows, step, file_space, memory)
    integer(HID_T), intent(in) :: dataset
    integer, intent(in) :: first, rows, step
    integer(HID_T), intent(out) :: file_space, memory
    integer(HSIZE_T) :: start(3), count(3)
    integer :: status
    start = [0, first, step]
    count = [nx, rows, 1]
    call h5dget_space_f(dataset, file_space, status)
    call h5screate_simple_f(2, count, memory, error)
    if (rows > 0) then
      call h5sselect_hyperslab_f(file_space, H5S_SELECT_SET_F, start, count, status)
    else
      call h5sselect_none_f(file_space, status)
      call h5sselect_none_f(memory, status)
    end if
    call agree(status == 0, 'cannot select')
  end subroutine select_rows

  subroutine write_step(dataset, step, transfer)
    integer(HID_T), intent(in) :: dataset, transfer
    integer, intent(in) :: step
    integer(HID_T) :: file_space, memory
    integer(HSIZE_T) :: dims(3)
    integer :: status
    dims = [nx, ny, step + 1]
    call h5dset_extent_f(dataset, dims, status)
    call agree(status == 0, 'cannot extend the dataset')
    call select_rows(dataset, y0, my, step, file_space, memory)
    call h5dwrite_f(dataset, H5T_NATIVE_DOUBLE, history(:, :, step), dims, status, &
        mem_space_id=memory, file_space_id=file_space, xfer_prp=transfer)
    call agree(status == 0, 'cannot write a step')
    call h5sclose_f(memory, error)
    call h5sclose_f(file_space, error)
  end subroutine write_step

  subroutine write_file()
    integer(HID_T) :: file, dataset, access, transfer
    integer :: step, mode, collective_writes
    access = file_access()
    call h5fcreate_f(trim(output), H5F_ACC_TRUNC_F, file, error, access_prp=access)
    call agree(error == 0, 'cannot create ' // trim(output))
    dataset = create_dataset(file)
    call write_text(file, 'title', '2-D heat equation, explicit Euler, fixed edges')
    call write_text(dataset, 'units', 'K')
    call write_number(dataset, 'alpha', alpha)
    call write_number(dataset, 'dt', dt)
    call write_number(dataset, 'dx', dx)
    call write_number(dataset, 'dy', dy)
    transfer = collective()
    collective_writes = 0
    do step = 0, steps
      history(:, :, step) = u(:, 1:my)
      call write_step(dataset, step, transfer)
      call h5pget_mpio_actual_io_mode_f(transfer, mode, error)
      if (mode == H5D_MPIO_CHUNK_COLLECTIVE_F) collective_writes = collective_writes + 1
      if (step == steps) exit
      call exchange_rows()
      call advance(u, next, nx, ny, y0, my, alpha * dt / (dx * dx), alpha * dt / (dy * dy))
      u(:, 1:my) = next(:, 1:my)
    end do
    if (mpi_rank == 0) write (*, '(i0, a, i0, a)') steps + 1, ' writes, ', collective_writes, &
        ' of them done collectively'
    call h5pclose_f(transfer, error)
    call h5dclose_f(dataset, error)
    call h5fclose_f(file, error)
    call agree(error == 0, 'cannot close ' // trim(output))
    call h5pclose_f(access, error)
  end subroutine write_file

  !> Each rank reads the next rank's rows of every step and compares with what that rank has.
  subroutine verify()
    integer(HID_T) :: file, dataset, access, transfer, file_space, memory
    integer :: after, before, step, status, theirs(2)
    integer(HSIZE_T) :: dims(3)
    real(dp) :: rows(2), their_rows(2)
    real(dp), allocatable :: expected(:, :), found(:, :)
    after = mod(mpi_rank + 1, mpi_size)
    before = mod(mpi_rank + mpi_size - 1, mpi_size)
    ! As reals: an MPI module without interfaces for any type wants one type for all calls.
    rows = [y0, my]
    call MPI_Sendrecv(rows, 2, MPI_DOUBLE_PRECISION, before, 3, their_rows, 2, &
        MPI_DOUBLE_PRECISION, after, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    theirs = nint(their_rows)
    allocate (expected(nx, theirs(2)), found(nx, theirs(2)))
    access = file_access()
    call h5fopen_f(trim(output), H5F_ACC_RDONLY_F, file, error, access)
    call agree(error == 0, 'cannot open ' // trim(output) // ' again')
    call h5dopen_f(file, dataset_name, dataset, error)
    call agree(error == 0, 'no dataset ' // dataset_name)
    transfer = collective()
    dims = [nx, theirs(2), 1]
    do step = 0, steps
      call MPI_Sendrecv(history(:, :, step), nx * my, MPI_DOUBLE_PRECISION, before, 4, expected, &
          nx * theirs(2), MPI_DOUBLE_PRECISION, after, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call select_rows(dataset, theirs(1), theirs(2), step, file_space, memory)
      found = -1.0_dp
      call h5dread_f(dataset, H5T_NATIVE_DOUBLE, found, dims, status, memory, file_space, transfer)
      call agree(status == 0, 'cannot read a step')
      call agree(all(found == expected), 'the next rank''s rows are not what it wrote')
      call h5sclose_f(memory, error)
      call h5sclose_f(file_space, error)
    end do
    call h5pclose_f(transfer, error)
    call h5dclose_f(dataset, error)
    call h5fclose_f(file, error)
    call agree(error == 0, 'cannot close ' // trim(output))
    call h5pclose_f(access, error)
    if (mpi_rank == 0) write (*, '(2a, i0, a)') trim(output), &
        ': read back, each rank''s rows checked by another rank: all ', steps + 1, ' steps right'
  end subroutine verify

end program heat_f
