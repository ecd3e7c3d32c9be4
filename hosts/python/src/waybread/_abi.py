"""Values between Python and the component model, through wasmtime's C interface.

wasmtime's own conversion asks for every type again at every call, which takes most of a small
call's time. Here a type is looked at once and becomes a `Codec`. What stands for what:

    string, enum              str
    bool, u32, u64            bool, int, int
    list                      list
    record                    dict, by the fields' names in Python (`chars_in`)
    option                    the value or None
    variant, result           (case, payload or None); a result's cases are `ok` and `err`
    own, borrow               ResourceAny

In C a value is a slot: its kind, and a union that is three words long. What does not fit there is
pointed to. Slots that are written here point into Python's memory, which wasmtime reads, and
neither frees nor keeps.

This rests on the C interface of the one major version of wasmtime that the package requires, and on
the least byte of a word being its first.
"""

from __future__ import annotations

from ctypes import POINTER, c_char, c_char_p, cast, string_at
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

from wasmtime import _ffi as ffi
from wasmtime.component import (
    U32,
    U64,
    Bool,
    BorrowType,
    EnumType,
    ListType,
    OptionType,
    OwnType,
    RecordType,
    ResourceAny,
    ResultType,
    String,
    ValType,
    VariantType,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Words = tuple[int, int, int]
    """What a union holds. Beyond what its kind uses there may be anything."""

    Kept = list[c_char_p]
    """What slots point to: it stays where it is for as long as this holds it."""

Slot = ffi.wasmtime_component_val_t

# A slot as it is written and read; a record's entry is a name and a slot.
_SLOT, _WORDS = Struct("=B7x3Q"), Struct("=8x3Q")
_ENTRY, _ENTRY_WORDS = "2QB7x3Q", "16x8x3Q"
_POINTER = Struct("=Q")
_Box = c_char * _SLOT.size
_Resource = POINTER(ffi.wasmtime_component_resource_any_t)


class Codec(NamedTuple):
    """How values of one type cross.

    Attributes:
        kind: The type, as a slot names it.
        lower: The words of a value.
        lift: The value that words stand for.
    """

    kind: int
    lower: Callable[[Any, Kept], Words]
    lift: Callable[[int, int, int], Any]


def codec(type_: ValType) -> Codec:
    """The codec of a type of the contract.

    Raises:
        TypeError: The contract has no such type.
    """
    for kind, make in _CODECS.items():
        if isinstance(type_, kind):
            return make(type_)
    raise TypeError(f"no value of type {type(type_).__name__} crosses here")


def lowered(codecs: Iterable[Codec], values: Iterable[Any], kept: Kept) -> bytes:
    """Slots of values, one after the other."""
    return b"".join(
        [
            _SLOT.pack(codec.kind, *codec.lower(value, kept))
            for codec, value in zip(codecs, values, strict=True)
        ]
    )


def lifted(codecs: Iterable[Codec], slots: Any) -> list[Any]:
    """The values of slots that stand one after the other, as bytes or as a value of C."""
    words = _WORDS.iter_unpack(slots)
    return [codec.lift(*three) for codec, three in zip(codecs, words, strict=True)]


def address(pointer: Any) -> int:
    """Where a pointer of C points."""
    at: int = _POINTER.unpack(pointer)[0]
    return at


def _place(data: bytes, kept: Kept) -> int:
    """Where the data stands, which is kept."""
    pointer = c_char_p(data)
    kept.append(pointer)
    return address(pointer)


def _lower_text(value: str, kept: Kept) -> Words:
    data = value.encode()
    return len(data), _place(data, kept), 0


def _lift_text(size: int, data: int, _: int) -> str:
    return string_at(data, size).decode()


def _number(kind: Any, most: int) -> Codec:
    return Codec(kind.value, lambda value, _: (value, 0, 0), lambda word, *_: word & most)


def _bool(_: ValType) -> Codec:
    kind = ffi.WASMTIME_COMPONENT_BOOL.value
    return Codec(kind, lambda value, _: (value, 0, 0), lambda word, *_: bool(word & 1))


def _optional(type_: ValType | None) -> Codec | None:
    return None if type_ is None else codec(type_)


def _list(element: Codec) -> Codec:
    def lower(values: Sequence[Any], kept: Kept) -> Words:
        slots = lowered([element] * len(values), values, kept)
        return len(values), _place(slots, kept), 0

    def lift(size: int, data: int, _: int) -> list[Any]:
        return lifted([element] * size, string_at(data, size * _SLOT.size))

    return Codec(ffi.WASMTIME_COMPONENT_LIST.value, lower, lift)


def _record(fields: Mapping[str, Codec]) -> Codec:
    entries, words = Struct("=" + _ENTRY * len(fields)), Struct("=" + _ENTRY_WORDS * len(fields))
    block = c_char * entries.size
    names: Kept = []
    named = [
        (name.replace("-", "_"), (len(name), _place(name.encode(), names), field.kind), field)
        for name, field in fields.items()
    ]

    def lower(value: Mapping[str, Any], kept: Kept) -> Words:
        parts: list[int] = []
        for name, head, field in named:
            parts += head + field.lower(value[name], kept)
        kept += names
        return len(named), _place(entries.pack(*parts), kept), 0

    def lift(_: int, data: int, __: int) -> dict[str, Any]:
        parts = iter(words.unpack(block.from_address(data)))
        return {
            name: field.lift(a, b, c)
            for (name, _, field), a, b, c in zip(named, parts, parts, parts, strict=True)
        }

    return Codec(ffi.WASMTIME_COMPONENT_RECORD.value, lower, lift)


def _boxed(payload: Codec | None, value: Any, kept: Kept) -> int:
    """Where a slot of its own stands, to which another points; 0 for a case without a payload."""
    if payload is None:
        return 0
    return _place(_SLOT.pack(payload.kind, *payload.lower(value, kept)), kept)


def _unboxed(payload: Codec | None, slot: int) -> Any:
    return payload and payload.lift(*_WORDS.unpack(_Box.from_address(slot)))


def _option(payload: Codec) -> Codec:
    def lower(value: Any, kept: Kept) -> Words:
        return 0 if value is None else _boxed(payload, value, kept), 0, 0

    def lift(slot: int, *_: int) -> Any:
        return _unboxed(payload, slot) if slot else None

    return Codec(ffi.WASMTIME_COMPONENT_OPTION.value, lower, lift)


def _variant(cases: Mapping[str, Codec | None]) -> Codec:
    def lower(value: tuple[str, Any], kept: Kept) -> Words:
        case, payload = value
        size, name, _ = _lower_text(case, kept)
        return size, name, _boxed(cases[case], payload, kept)

    def lift(size: int, name: int, slot: int) -> tuple[str, Any]:
        case = _lift_text(size, name, 0)
        return case, _unboxed(cases[case], slot)

    return Codec(ffi.WASMTIME_COMPONENT_VARIANT.value, lower, lift)


def _result(ok: Codec | None, err: Codec | None) -> Codec:
    def lower(value: tuple[str, Any], kept: Kept) -> Words:
        case, payload = value
        return int(case == "ok"), _boxed(ok if case == "ok" else err, payload, kept), 0

    def lift(is_ok: int, slot: int, _: int) -> tuple[str, Any]:
        return ("ok", _unboxed(ok, slot)) if is_ok & 1 else ("err", _unboxed(err, slot))

    return Codec(ffi.WASMTIME_COMPONENT_RESULT.value, lower, lift)


def _resource(_: ValType) -> Codec:
    def lower(value: ResourceAny, _: Kept) -> Words:
        # The caller holds the value, and so what it points to.
        return address(value.ptr()), 0, 0

    def lift(resource: int, *_: int) -> ResourceAny:
        pointer = cast(resource, _Resource)
        return ResourceAny._from_ptr(ffi.wasmtime_component_resource_any_clone(pointer))

    return Codec(ffi.WASMTIME_COMPONENT_RESOURCE.value, lower, lift)


_CODECS: Mapping[type[ValType], Callable[[Any], Codec]] = {
    String: lambda _: Codec(ffi.WASMTIME_COMPONENT_STRING.value, _lower_text, _lift_text),
    Bool: _bool,
    U32: lambda _: _number(ffi.WASMTIME_COMPONENT_U32, 2**32 - 1),
    U64: lambda _: _number(ffi.WASMTIME_COMPONENT_U64, 2**64 - 1),
    EnumType: lambda _: Codec(ffi.WASMTIME_COMPONENT_ENUM.value, _lower_text, _lift_text),
    ListType: lambda list_: _list(codec(list_.element)),
    RecordType: lambda record: _record({name: codec(type_) for name, type_ in record.fields}),
    OptionType: lambda option: _option(codec(option.payload)),
    VariantType: lambda variant: _variant(
        {name: _optional(type_) for name, type_ in variant.cases}
    ),
    ResultType: lambda result: _result(_optional(result.ok), _optional(result.err)),
    OwnType: _resource,
    BorrowType: _resource,
}
