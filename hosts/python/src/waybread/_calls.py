"""Calls into a component and out of it, through wasmtime's C interface."""

from __future__ import annotations

from contextvars import ContextVar
from ctypes import CFUNCTYPE, byref, c_char_p, c_void_p, cast
from typing import TYPE_CHECKING, Any

from wasmtime import WasmtimeError
from wasmtime import _ffi as ffi

from waybread._abi import Codec, Slot, address, codec, lifted, lowered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wasmtime import Store
    from wasmtime.component import Func, FuncType, LinkerInstance

    Name = tuple[str, str]
    """An imported function: its interface and its own name."""

_NO_FINALIZER = CFUNCTYPE(None, c_void_p)()


class Signature:
    """How a function's arguments and its answer cross."""

    def __init__(self, function: FuncType) -> None:
        self.parameters: list[Codec] = [codec(type_) for _, type_ in function.params]
        if function.result is None:
            raise TypeError("every function of the contract answers something")
        self.result = codec(function.result)
        self.slots = Slot * len(self.parameters)


class Imports:
    """The functions that one instance may call.

    Attributes:
        functions: By interface and name. Each takes and answers values as `_abi` has them, and
            raises nothing.
        raised: What stopped the instance, where that was an exception and not a trap.
    """

    def __init__(self, functions: Mapping[Name, Callable[..., Any]]) -> None:
        self.functions = functions
        self.raised: BaseException | None = None


# Whose imports a call leads to: all instances share one linker.
_calling: ContextVar[Imports] = ContextVar("_calling")


def call(
    function: Func, store: Store, signature: Signature, imports: Imports, arguments: tuple[Any, ...]
) -> Any:
    """Call an exported function.

    Raises:
        WasmtimeError: It trapped, or an import raised.
    """
    kept: list[c_char_p] = []
    slots = signature.slots.from_buffer_copy(lowered(signature.parameters, arguments, kept))
    answer = Slot()
    calling = _calling.set(imports)
    try:
        error = ffi.wasmtime_component_func_call(
            byref(function._func), store._context(), slots, len(slots), byref(answer), 1
        )
        if error:
            raise WasmtimeError._from_ptr(error)
        (result,) = lifted([signature.result], answer)
        return result
    finally:
        _calling.reset(calling)
        ffi.wasmtime_component_val_delete(byref(answer))


def define(interface: LinkerInstance, name: Name, signature: Signature) -> object:
    """Define an imported function as whatever the calling instance's imports have under its name.

    Returns:
        What must be kept for as long as the linker.
    """
    callback = _callback(name, signature)
    spelled = name[1].encode()
    error = ffi.wasmtime_component_linker_instance_add_func(
        interface.ptr(), spelled, len(spelled), callback, None, _NO_FINALIZER
    )
    if error:
        raise WasmtimeError._from_ptr(error)
    return callback


def _callback(name: Name, signature: Signature) -> object:
    def run(_data: Any, _store: Any, _type: Any, slots: Any, _n: int, answers: Any, _m: int) -> int:
        imports = _calling.get()
        try:
            given = signature.slots.from_address(address(slots))
            arguments = lifted(signature.parameters, given)
            kept: list[c_char_p] = []
            answer = lowered([signature.result], [imports.functions[name](*arguments)], kept)
            ffi.wasmtime_component_val_clone(byref(Slot.from_buffer_copy(answer)), answers)
        except BaseException as error:  # noqa: BLE001 - Ctrl-C between two steps, or no memory
            imports.raised = error
            return cast(WasmtimeError("an import failed")._consume(), c_void_p).value or 0
        return 0

    return ffi.wasmtime_component_func_callback_t(run)
