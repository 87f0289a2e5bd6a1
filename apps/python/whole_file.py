# SPDX-License-Identifier: Apache-2.0
"""Files that are written whole or not at all, like src/core/file.cpp does for the programs in C++."""
import contextlib
import os
import pathlib
import stat


def write(path, data):
    """Writes text or bytes. The old content stays until the new one is on the disk, even if the disk fills up
    or the process is killed in between. A symbolic link keeps its target, unless another user has put it into
    a folder that all can write; a file that is not regular (/dev/stdout, a pipe with a reader) is just
    written to. OSError: with the file's name."""
    data = data.encode() if isinstance(data, str) else data
    with _named(path), _Place(path) as place:
        if not place.is_replaced():
            _fill(place.opened(), data)
            return
        with place.draft() as draft:
            _fill(place.created(draft), data, place.before, sync=True)
            os.rename(draft, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)


def check_writable(path):
    """Checks before hours of work that the file can be written; makes its folder if there is none, and
    changes nothing else. OSError: with the file's name."""
    with _named(path):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        with _Place(path) as place, place.draft() as draft:
            os.close(place.created(draft) if place.is_replaced() else place.opened())


def sentence(error):
    """The file's name and the system's reason."""
    return f"{error.filename} cannot be written: {error.strerror}"


@contextlib.contextmanager
def _named(path):
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


class _Place:
    """The place of a file that is written. Its folder stays open, and no link is followed from here on:
    another process cannot lead the text elsewhere."""

    def __init__(self, path):
        self.folder, self.before, self.is_open_file = None, None, False
        rest = pathlib.Path(path)
        try:
            for _ in range(40):
                self._enter(rest)
                link = self._look()
                if link is None:
                    return
                rest = pathlib.Path(link)
            raise OSError(40, "Too many levels of symbolic links")
        except OSError:
            self.__exit__()
            raise

    def _enter(self, rest):
        folder = os.open(rest.parent, os.O_PATH | os.O_DIRECTORY, dir_fd=self.folder)
        self.__exit__()
        self.folder, self.name = folder, rest.name or "."

    def _look(self):
        """Looks at the entry. Returns the text of a link that is followed, else None."""
        try:
            entry = os.open(self.name, os.O_PATH | os.O_NOFOLLOW, dir_fd=self.folder)
        except FileNotFoundError:
            self.before = None
            return None
        try:
            self.before = os.fstat(entry)
            kind = self.before.st_mode
            # A link of /proc, like /dev/stdout, stands for an open file; its text is no path.
            self.is_open_file = stat.S_ISLNK(kind) and self.before.st_dev == os.stat("/proc").st_dev
            if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind) and self._is_foreign():
                raise OSError(13, f"'{self.name}' is a link, a pipe or a device of another user, in a folder that all can write")
            return os.readlink("", dir_fd=entry) if stat.S_ISLNK(kind) and not self.is_open_file else None
        finally:
            os.close(entry)

    def _is_foreign(self):
        """The kernel's rule of fs.protected_symlinks."""
        around = os.fstat(self.folder)
        return around.st_mode & stat.S_IWOTH and self.before.st_uid not in (os.geteuid(), around.st_uid)

    def is_replaced(self):
        """True for a regular file, and for a new one."""
        return not self.is_open_file and (self.before is None or stat.S_ISREG(self.before.st_mode))

    def opened(self):
        """Opens a file that is not replaced. A pipe without a reader is an error."""
        if self.is_open_file and os.path.samestat(os.fstat(self.folder), os.stat("/proc/self/fd")):
            return os.dup(int(self.name))
        rule = os.O_TRUNC if self.is_open_file else os.O_NOFOLLOW
        descriptor = os.open(self.name, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | rule, dir_fd=self.folder)
        os.set_blocking(descriptor, True)
        return descriptor

    @contextlib.contextmanager
    def draft(self):
        """The name of a draft beside the file, which is gone in the end."""
        name = f"{self.name}.{os.getpid()}.part"
        try:
            yield name
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name, dir_fd=self.folder)

    def created(self, draft):
        with contextlib.suppress(OSError):
            os.unlink(draft, dir_fd=self.folder)  # left by a killed process of this number
        return os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.folder is not None:
            os.close(self.folder)
            self.folder = None


def _fill(descriptor, data, before=None, sync=False):
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view):]
        if before:
            os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
        if sync:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
