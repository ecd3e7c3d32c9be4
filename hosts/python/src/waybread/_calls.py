"""Calls into a component and out of it, through wasmtime's C interface.

Python may raise between any two steps: Ctrl-C, an alarm, an exception that another thread sends. A
function that C calls can't catch what is raised at its first step, and C would then take for its
answer whatever stood there. So C calls no function of ours. What it calls is made of C alone: it
notes the arguments and resumes a generator, which waits inside its `try`. An answer that was not
written is one of a wrong type, which stops the component.
"""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_size_t, c_void_p, cast
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from wasmtime import WasmtimeError
from wasmtime import _ffi as ffi

from waybread._abi import Codec, Slot, codec, lifted, lowered

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from wasmtime import Store
    from wasmtime.component import Func, FuncType, LinkerInstance

    Name = tuple[str, str]
    """An imported function: its interface and its own name."""

_NO_FINALIZER = CFUNCTYPE(None, c_void_p)()

# wasmtime's: data, store, type, arguments, how many, answers, how many; an error is answered.
_CALLED = CFUNCTYPE(c_void_p, *[c_void_p] * 4, c_size_t, c_void_p, c_size_t)
_NOTED = 7
_RESUMED = CFUNCTYPE(None)
_SLOT = POINTER(Slot)

_TRAMPOLINES = 12
"""More levels of recursion than a call takes until it is in a `try`."""


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


class Answering:
    """Answers what one instance calls. It must be kept for as long as that may call.

    Args:
        imports: The functions that answer.
        signatures: Of all that the component imports.
    """

    def __init__(self, imports: Imports, signatures: Mapping[Name, Signature]) -> None:
        self._names = list(signatures)
        called: list[Any] = []
        waiting = _answers(imports, list(signatures.items()), called)
        next(waiting)
        resume: Any = _RESUMED(waiting.__next__)
        # Notes each argument, and passes none on.
        resume.argtypes = [SimpleNamespace(from_param=called.append)] * _NOTED
        self._callback = cast(_CALLED(resume), ffi.wasmtime_component_func_callback_t)

    def define(self, interface: LinkerInstance, name: Name) -> None:
        """Define an imported function."""
        spelled = name[1].encode()
        number = c_void_p(1 + self._names.index(name))
        error = ffi.wasmtime_component_linker_instance_add_func(
            interface.ptr(), spelled, len(spelled), self._callback, number, _NO_FINALIZER
        )
        if error:
            raise WasmtimeError._from_ptr(error)


def call(function: Func, store: Store, signature: Signature, arguments: tuple[Any, ...]) -> Any:
    """Call an exported function.

    Raises:
        WasmtimeError: It trapped, or an import raised.
    """
    kept: list[c_char_p] = []
    slots = signature.slots.from_buffer_copy(lowered(signature.parameters, arguments, kept))
    answer = Slot()
    _recurse(_TRAMPOLINES)
    try:
        error = ffi.wasmtime_component_func_call(
            byref(function._func), store._context(), slots, len(slots), byref(answer), 1
        )
        if error:
            raise WasmtimeError._from_ptr(error)
        (result,) = lifted([signature.result], answer)
        return result
    finally:
        ffi.wasmtime_component_val_delete(byref(answer))


def _answers(
    imports: Imports, functions: Sequence[tuple[Name, Signature]], called: list[Any]
) -> Generator[None, None, None]:
    """Answers a call each time that it is resumed; nothing leaves it but into `raised`."""
    try:
        while True:
            yield
            number, _, _, slots, _, answers, _ = called
            called.clear()
            name, signature = functions[number - 1]
            arguments = lifted(signature.parameters, signature.slots.from_address(slots or 0))
            kept: list[c_char_p] = []
            answer = lowered([signature.result], [imports.functions[name](*arguments)], kept)
            written = Slot.from_buffer_copy(answer)
            ffi.wasmtime_component_val_clone(byref(written), cast(answers, _SLOT))
    except GeneratorExit:
        raise
    except BaseException as error:  # noqa: BLE001 - Ctrl-C between two steps, or no memory
        imports.raised = error
    while True:
        # What is called now is not answered, which stops the component.
        yield


def _recurse(levels: int) -> None:
    """Raise RecursionError here, where it harms nothing, and not between C and the `try`."""
    if levels:
        _recurse(levels - 1)
