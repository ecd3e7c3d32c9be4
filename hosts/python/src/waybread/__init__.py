"""Waybread: keeps an LLM session's context clean.

The rules are one WebAssembly component, the same in Rust, Python and JavaScript; this package
gives it a storage and a filesystem. Begin with `Session.open`.
"""

from waybread.directory import Directory
from waybread.errors import (
    CallAnsweredError,
    ClosedError,
    ConflictError,
    DamagedRecordError,
    FileSystemError,
    InvalidArgumentError,
    InvalidSettingError,
    NewerRecordError,
    RecordError,
    ReentryError,
    SettingsDifferError,
    StorageError,
    TrappedError,
    UnknownIdError,
    WaybreadError,
)
from waybread.filesystem import FileSystem, NotAFileError
from waybread.memory_tree import MemoryTree
from waybread.replay import replay
from waybread.report import Report
from waybread.session import Session
from waybread.sqlite import SqliteStorage
from waybread.storage import (
    Conflict,
    Denied,
    Full,
    MemoryStorage,
    NotFound,
    OtherFault,
    Storage,
    StorageFault,
    StoredText,
)
from waybread.values import (
    Changes,
    Failure,
    FileChange,
    Inserted,
    Kind,
    LastRead,
    Outcome,
    Output,
    Read,
    Settings,
    ToolCall,
    Treatment,
)

__all__ = [
    "CallAnsweredError",
    "Changes",
    "ClosedError",
    "Conflict",
    "ConflictError",
    "DamagedRecordError",
    "Denied",
    "Directory",
    "Failure",
    "FileChange",
    "FileSystem",
    "FileSystemError",
    "Full",
    "Inserted",
    "InvalidArgumentError",
    "InvalidSettingError",
    "Kind",
    "LastRead",
    "MemoryStorage",
    "MemoryTree",
    "NewerRecordError",
    "NotAFileError",
    "NotFound",
    "OtherFault",
    "Outcome",
    "Output",
    "Read",
    "RecordError",
    "ReentryError",
    "Report",
    "Session",
    "Settings",
    "SettingsDifferError",
    "SqliteStorage",
    "Storage",
    "StorageError",
    "StorageFault",
    "StoredText",
    "ToolCall",
    "TrappedError",
    "Treatment",
    "UnknownIdError",
    "WaybreadError",
    "replay",
]
