# SPDX-License-Identifier: Apache-2.0
"""Files that are written whole or not at all, like src/core/file.cpp does for the programs in C++."""
import os
import pathlib
import stat


def write(path, data):
    """Writes text or bytes. The old content stays until the new one is on the disk, even if the disk fills up
    or the process is killed in between. A symbolic link keeps its target; a file that is not regular
    (/dev/stdout, a pipe) is just written to. OSError: with the file's name."""
    data = data.encode() if isinstance(data, str) else data
    target = os.path.realpath(path)
    before = _status(target)
    if before and not stat.S_ISREG(before.st_mode):
        _fill(path, os.open(path, os.O_WRONLY), data)
        return
    draft = f"{target}.{os.getpid()}.part"
    try:
        _fill(path, _created(draft), data, before, sync=True)
        os.rename(draft, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        if os.path.lexists(draft):
            os.unlink(draft)


def check_writable(path):
    """Checks before hours of work that the file can be written; makes its folder if there is none, and
    changes nothing else. OSError: with the file's name."""
    target = pathlib.Path(os.path.realpath(path))
    before = _status(target)
    if before and not stat.S_ISREG(before.st_mode):
        os.close(os.open(path, os.O_WRONLY))
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = f"{target}.{os.getpid()}.part"
        os.close(_created(draft))
        os.unlink(draft)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def sentence(error):
    """The file's name and the system's reason."""
    return f"{error.filename} cannot be written: {error.strerror}"


def _status(target):
    try:
        return os.stat(target)
    except OSError:
        return None


def _created(draft):
    try:
        os.unlink(draft)  # left by a killed process of this number
    except OSError:
        pass
    return os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)


def _fill(path, descriptor, data, before=None, sync=False):
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view):]
        if before:
            os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
        if sync:
            os.fsync(descriptor)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        os.close(descriptor)
