"""The components: compiled once a process, instantiated once a session."""

from __future__ import annotations

from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

from wasmtime import Config, Engine, Store, WasmtimeError
from wasmtime.component import ComponentInstanceType, Func, FuncType, Linker

from waybread import _cache
from waybread._calls import Answering, Signature, call
from waybread.errors import TrappedError, WaybreadError

if TYPE_CHECKING:
    from wasmtime.component import ComponentItem, ExportIndex, ResourceAny

    from waybread._calls import Imports, Name

COMPONENT = "waybread.wasm"
INTERFACE = "waybread:context/context@0.1.0"
"""The component of the rules, and the interface that it exports."""

_ROOM = 64 * 2**20

_CROSSING = 128 * 2**20
"""How many bytes an engine takes out of a component in one call."""


def _engine() -> Engine:
    config = Config()
    # Traps would arrive as signals. A program that sets handlers of its own after ours, as
    # `faulthandler` and so pytest do, would die of one. Checks in the code cost a few percent.
    config.signals_based_traps = False
    # Then 4 GiB of address space a session buys nothing, and more sessions fit without.
    config.memory_reservation = _ROOM
    config.memory_reservation_for_growth = _ROOM
    config.memory_guard_size = 0
    return Engine(config)


_ENGINE = _engine()


class Component:
    """A component of this package, compiled, with the interface that it exports.

    Attributes:
        code: The compiled component.
        imported: What it imports, by interface and name.

    Raises:
        WaybreadError: The package was put together without it.
    """

    def __init__(self, file: str, interface: str) -> None:
        source = resources.files("waybread") / "component" / file
        try:
            wasm = source.read_bytes()
        except FileNotFoundError as error:
            raise WaybreadError(
                f"the package lacks its component `{file}`; `cargo xtask build` makes it"
            ) from error
        self.code = _cache.load(_ENGINE, wasm, _cache.folder())
        self._interface = interface
        self._signatures: dict[str, Signature] = {}
        self._indices: dict[str, ExportIndex] = {}
        self.imported: dict[Name, Signature] = {
            (interface, name): Signature(function)
            for interface, item in self.code.type.imports(_ENGINE).items()
            for name, function in _functions(item.ty).items()
        }

    def signature(self, name: str) -> Signature:
        """How an exported function's values cross."""
        if name not in self._signatures:
            self._signatures[name] = Signature(self._exports[name])
        return self._signatures[name]

    def index(self, name: str) -> ExportIndex:
        """Where an exported function stands.

        Raises:
            WaybreadError: The component has no such function.
        """
        if name not in self._indices:
            interface = self.code.get_export_index(self._interface)
            index = interface and self.code.get_export_index(name, interface)
            if index is None:
                raise WaybreadError(
                    f"the component has no function `{name}`: it is another version's"
                )
            self._indices[name] = index
        return self._indices[name]

    @cached_property
    def _exports(self) -> dict[str, FuncType]:
        return _functions(self.code.type.exports(_ENGINE)[self._interface].ty)


class Instance:
    """A component at work, in a store of its own.

    Args:
        component: What to instantiate.
        imports: The functions that it may call.
        memory_limit: How many bytes of memory it may use; None leaves it 4 GiB.

    Raises:
        TrappedError: `memory_limit` is too low for the component to start.
    """

    def __init__(
        self, component: Component, imports: Imports, memory_limit: int | None = None
    ) -> None:
        self._component = component
        self._imports = imports
        self._answering = Answering(imports, component.imported)
        self._store = Store(_ENGINE)
        if memory_limit is not None:
            self._store.set_limits(memory_size=memory_limit)
        try:
            self._instance = self._linker().instantiate(self._store, component.code)
        except WasmtimeError as error:
            raise _stopped(error) from error
        self._functions: dict[str, Func] = {}

    def call(self, name: str, *arguments: object) -> Any:
        """Call an exported function, `[method]session.recall`, with values as `_abi` has them.

        Raises:
            TrappedError: The component stopped. This instance can't be used again.
        """
        function = self._functions.get(name) or self._function(name)
        signature = self._component.signature(name)
        try:
            answer = call(function, self._store, signature, arguments)
        except WasmtimeError as error:
            if self._imports.raised is not None:
                raise self._imports.raised from error
            raise _stopped(error) from error
        if self._imports.raised is not None:
            # After the import had answered.
            raise self._imports.raised
        return answer

    def drop(self, resource: ResourceAny) -> None:
        """Give a resource back that the component handed out.

        Raises:
            TrappedError: The component stopped. This instance can't be used again.
        """
        try:
            resource.drop(self._store)
        except WasmtimeError as error:
            raise _stopped(error) from error

    def close(self) -> None:
        """Free the memory."""
        self._store.close()

    def _linker(self) -> Linker:
        """Answers all that the component imports."""
        linker = Linker(_ENGINE)
        with linker.root() as root:
            for interface in dict.fromkeys(interface for interface, _ in self._component.imported):
                with root.add_instance(interface) as instance:
                    for name in self._component.imported:
                        if name[0] == interface:
                            self._answering.define(instance, name)
        return linker

    def _function(self, name: str) -> Func:
        function = self._instance.get_func(self._store, self._component.index(name))
        if function is None:
            raise WaybreadError(f"the component's `{name}` is not a function")
        self._functions[name] = function
        return function


@cache
def load(file: str, interface: str) -> Component:
    """A component of this package, loaded once a process."""
    return Component(file, interface)


def _functions(interface: ComponentItem) -> dict[str, FuncType]:
    if not isinstance(interface, ComponentInstanceType):
        raise TypeError("a component of this package imports and exports interfaces alone")
    items = {name: item.ty for name, item in interface.exports(_ENGINE).items()}
    return {name: item for name, item in items.items() if isinstance(item, FuncType)}


def _stopped(error: WasmtimeError) -> TrappedError:
    """What happened, without the backtrace, which names addresses and not causes."""
    problem = str(error).rpartition("Caused by:")[2].strip().removeprefix("wasm trap: ")
    if "fuel allocated for hostcalls" in problem:
        # No call of wasmtime's C interface raises it.
        problem = f"one call's values have more than the {_CROSSING} bytes that can cross"
    return TrappedError(f"the component stopped: {problem}; what it had stored is not lost")
