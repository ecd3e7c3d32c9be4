"""Values of every shape of the contract cross and come back as they were."""

from __future__ import annotations

from ctypes import byref
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wasmtime import Engine
from wasmtime import _ffi as ffi
from wasmtime.component import Component, FuncType

from waybread._abi import Slot, codec, lifted, lowered

if TYPE_CHECKING:
    from ctypes import c_char_p

    from waybread._abi import Codec

# Lists of records, options of lists, variants in records in variants: what `settings`, `message`
# and `cause` are made of.
WAT = """
(component
  (type $speaker-type (enum "person" "model"))
  (import "speaker" (type $speaker (eq $speaker-type)))
  (type $result-type (record
    (field "refers-to" (option string)) (field "chars-in" u32) (field "full" bool)
    (field "at" u64)))
  (import "result" (type $result (eq $result-type)))
  (type $part-type (variant
    (case "wrap-up") (case "text" string) (case "result" $result) (case "speaker" $speaker)))
  (import "part" (type $part (eq $part-type)))
  (type $message-type (record
    (field "parts" (list $part)) (field "only" (option (list string)))
    (field "refused" (option $result)) (field "speakers" (list $speaker))))
  (import "message" (type $message (eq $message-type)))
  (type $added-type (variant (case "user" $message) (case "failed" $part)))
  (import "added" (type $added (eq $added-type)))
  (import "add" (func (param "messages" (list $added))
    (result (result (option $message) (error $added)))))
)
"""
texts = st.text(st.characters(codec="utf-8"), max_size=8)
speakers = st.sampled_from(["person", "model"])
numbers = st.integers(0, 2**32 - 1)
results = st.fixed_dictionaries(
    {
        "refers_to": st.none() | texts,
        "chars_in": numbers,
        "full": st.booleans(),
        "at": st.integers(0, 2**64 - 1),
    }
)
parts = st.one_of(
    st.just(("wrap-up", None)),
    st.tuples(st.just("text"), texts),
    st.tuples(st.just("result"), results),
    st.tuples(st.just("speaker"), speakers),
)
messages = st.fixed_dictionaries(
    {
        "parts": st.lists(parts, max_size=4),
        "only": st.none() | st.lists(texts, max_size=3),
        "refused": st.none() | results,
        "speakers": st.lists(speakers, max_size=3),
    }
)
added = st.tuples(st.just("user"), messages) | st.tuples(st.just("failed"), parts)
answers = st.tuples(st.just("ok"), st.none() | messages) | st.tuples(st.just("err"), added)


def function() -> FuncType:
    engine = Engine()
    add = Component(engine, WAT).type.imports(engine)["add"].ty
    assert isinstance(add, FuncType)
    return add


def crossed(codec: Codec, value: Any) -> Any:
    """A value that was written, cloned by wasmtime as an import's answer is, and read."""
    kept: list[c_char_p] = []
    written, slot = Slot.from_buffer_copy(lowered([codec], [value], kept)), Slot()
    ffi.wasmtime_component_val_clone(byref(written), byref(slot))
    kept.clear()
    try:
        (read,) = lifted([codec], slot)
    finally:
        ffi.wasmtime_component_val_delete(byref(slot))
    return read


((_, LIST),) = function().params
RESULT = function().result


@given(st.lists(added, max_size=4))
def test_lists_of_variants_of_records(value: Any) -> None:
    assert crossed(codec(LIST), value) == value


@given(answers)
def test_results_of_options_of_records(value: Any) -> None:
    assert RESULT is not None
    assert crossed(codec(RESULT), value) == value


def test_a_case_or_a_field_that_there_is_not() -> None:
    wrong: list[Any] = [[("gone", None)], [("user", {"parts": []})]]
    for value in wrong:
        with pytest.raises(KeyError):
            crossed(codec(LIST), value)


def test_a_type_that_there_is_not() -> None:
    no_type: Any = None
    with pytest.raises(TypeError, match="no value of type NoneType crosses here"):
        codec(no_type)
