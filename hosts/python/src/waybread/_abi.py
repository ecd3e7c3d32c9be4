"""Values between Python and the component model, through wasmtime's C interface.

wasmtime's own conversion asks for every type again at every call, which takes most of a small
call's time. Here a type is looked at once and becomes a `Codec`. What stands for what:

    string, enum              str
    bool, u32, u64            bool, int, int
    list                      list
    record                    dict, by the contract's names (`chars-in`)
    option                    the value or None
    variant, result           (case, payload or None); a result's cases are `ok` and `err`
    own, borrow               ResourceAny

This rests on the C interface of the one major version of wasmtime that the package requires.
"""

from __future__ import annotations

from ctypes import byref, memmove, string_at
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
    from collections.abc import Callable, Mapping

Slot = ffi.wasmtime_component_val_t
"""A value in C. It is empty, which frees nothing, until its `kind` is set: set that last."""


class Codec(NamedTuple):
    """How values of one type cross.

    Attributes:
        lower: Writes a value into an empty slot.
        lift: Reads a slot and leaves it as it is.
    """

    lower: Callable[[Any, Any], None]
    lift: Callable[[Any], Any]


def codec(type_: ValType) -> Codec:
    """The codec of a type of the contract.

    Raises:
        TypeError: The contract has no such type.
    """
    for kind, make in _CODECS.items():
        if isinstance(type_, kind):
            return make(type_)
    raise TypeError(f"no value of type {type(type_).__name__} crosses here")


def _optional(type_: ValType | None) -> Codec | None:
    return None if type_ is None else codec(type_)


def _put_text(vector: Any, text: bytes) -> None:
    ffi.wasm_byte_vec_new_uninitialized(byref(vector), len(text))
    memmove(vector.data, text, len(text))


def _text(vector: Any) -> str:
    return string_at(vector.data, vector.size).decode()


def _lower_string(value: str, slot: Any) -> None:
    _put_text(slot.of.string, value.encode())
    slot.kind = ffi.WASMTIME_COMPONENT_STRING.value


def _lower_enum(value: str, slot: Any) -> None:
    _put_text(slot.of.enumeration, value.encode())
    slot.kind = ffi.WASMTIME_COMPONENT_ENUM.value


def _scalar(kind: int, field: str) -> Codec:
    def lower(value: object, slot: Any) -> None:
        setattr(slot.of, field, value)
        slot.kind = kind

    return Codec(lower, lambda slot: getattr(slot.of, field))


def _list(element: Codec) -> Codec:
    def lower(values: list[Any], slot: Any) -> None:
        items = slot.of.list
        ffi.wasmtime_component_vallist_new_uninit(byref(items), len(values))
        for value, item in zip(values, items.data[: len(values)], strict=True):
            element.lower(value, item)
        slot.kind = ffi.WASMTIME_COMPONENT_LIST.value

    def lift(slot: Any) -> list[Any]:
        items = slot.of.list
        return [element.lift(item) for item in items.data[: items.size]]

    return Codec(lower, lift)


def _record(fields: Mapping[str, Codec]) -> Codec:
    named = [(name, name.encode(), field) for name, field in fields.items()]

    def lower(value: Mapping[str, Any], slot: Any) -> None:
        entries = slot.of.record
        ffi.wasmtime_component_valrecord_new_uninit(byref(entries), len(named))
        for entry, (name, spelled, field) in zip(entries.data[: len(named)], named, strict=True):
            _put_text(entry.name, spelled)
            field.lower(value[name], entry.val)
        slot.kind = ffi.WASMTIME_COMPONENT_RECORD.value

    def lift(slot: Any) -> dict[str, Any]:
        entries = slot.of.record.data[: len(named)]
        return {
            name: field.lift(entry.val)
            for entry, (name, _, field) in zip(entries, named, strict=True)
        }

    return Codec(lower, lift)


def _boxed(payload: Codec | None, value: Any) -> Any:
    """A value in a slot of its own, to which a variant points; None for a case without one."""
    if payload is None:
        return None
    slot = Slot()
    payload.lower(value, slot)
    return ffi.wasmtime_component_val_new(byref(slot))


def _unboxed(payload: Codec | None, pointer: Any) -> Any:
    return payload and payload.lift(pointer.contents)


def _option(payload: Codec) -> Codec:
    def lower(value: Any, slot: Any) -> None:
        slot.of.option = None if value is None else _boxed(payload, value)
        slot.kind = ffi.WASMTIME_COMPONENT_OPTION.value

    def lift(slot: Any) -> Any:
        return _unboxed(payload, slot.of.option) if slot.of.option else None

    return Codec(lower, lift)


def _variant(cases: Mapping[str, Codec | None]) -> Codec:
    def lower(value: tuple[str, Any], slot: Any) -> None:
        case, payload = value
        variant = slot.of.variant
        variant.val = _boxed(cases[case], payload)
        _put_text(variant.discriminant, case.encode())
        slot.kind = ffi.WASMTIME_COMPONENT_VARIANT.value

    def lift(slot: Any) -> tuple[str, Any]:
        variant = slot.of.variant
        case = _text(variant.discriminant)
        return case, _unboxed(cases[case], variant.val)

    return Codec(lower, lift)


def _result(ok: Codec | None, err: Codec | None) -> Codec:
    def lower(value: tuple[str, Any], slot: Any) -> None:
        case, payload = value
        result = slot.of.result
        result.is_ok = case == "ok"
        result.val = _boxed(ok if case == "ok" else err, payload)
        slot.kind = ffi.WASMTIME_COMPONENT_RESULT.value

    def lift(slot: Any) -> tuple[str, Any]:
        result = slot.of.result
        return (
            ("ok", _unboxed(ok, result.val)) if result.is_ok else ("err", _unboxed(err, result.val))
        )

    return Codec(lower, lift)


def _lower_resource(value: ResourceAny, slot: Any) -> None:
    slot.of.resource = ffi.wasmtime_component_resource_any_clone(value.ptr())
    slot.kind = ffi.WASMTIME_COMPONENT_RESOURCE.value


def _lift_resource(slot: Any) -> ResourceAny:
    return ResourceAny._from_ptr(ffi.wasmtime_component_resource_any_clone(slot.of.resource))


_CODECS: Mapping[type[ValType], Callable[[Any], Codec]] = {
    String: lambda _: Codec(_lower_string, lambda slot: _text(slot.of.string)),
    Bool: lambda _: _scalar(ffi.WASMTIME_COMPONENT_BOOL.value, "boolean"),
    U32: lambda _: _scalar(ffi.WASMTIME_COMPONENT_U32.value, "u32"),
    U64: lambda _: _scalar(ffi.WASMTIME_COMPONENT_U64.value, "u64"),
    EnumType: lambda _: Codec(_lower_enum, lambda slot: _text(slot.of.enumeration)),
    ListType: lambda list_: _list(codec(list_.element)),
    RecordType: lambda record: _record({name: codec(type_) for name, type_ in record.fields}),
    OptionType: lambda option: _option(codec(option.payload)),
    VariantType: lambda variant: _variant(
        {name: _optional(type_) for name, type_ in variant.cases}
    ),
    ResultType: lambda result: _result(_optional(result.ok), _optional(result.err)),
    OwnType: lambda _: Codec(_lower_resource, _lift_resource),
    BorrowType: lambda _: Codec(_lower_resource, _lift_resource),
}
