"""Messages and the conversation that they make."""

from __future__ import annotations

import base64
import datetime as dt
from typing import TYPE_CHECKING, Any

from waybread._convert.arguments import case, flag, items, optional, spelled, text
from waybread._convert.results import inserted
from waybread.messages import (
    Added,
    Block,
    Delivery,
    Image,
    ImageUrl,
    Reply,
    ReplyCall,
    Sender,
    Speaker,
    StoredMessage,
    UserMessage,
    WrapUp,
)
from waybread.skills import SkillChange
from waybread.values import ToolCall

if TYPE_CHECKING:
    from waybread.messages import Message


def message(given: Message) -> tuple[str, Any]:
    """`message`."""
    match given:
        case UserMessage():
            return ("user", _user_message(given))
        case Reply():
            incomplete = flag("reply.incomplete", given.incomplete)
            return ("reply", {"json": spelled("reply.json", given.json), "incomplete": incomplete})
        case WrapUp():
            return ("wrap-up", None)
    raise TypeError(f"a message is a UserMessage, Reply or WrapUp, not {type(given).__name__}")


def added(answer: dict[str, Any]) -> Added:
    """`added`."""
    return Added(
        number=answer["number"],
        note=answer["note"],
        skills=tuple(SkillChange(**change) for change in answer["skills"]),
        calls=tuple(map(_reply_call, answer["calls"])),
        closed=tuple(map(inserted, answer["closed"])),
    )


def stored_message(answer: dict[str, Any]) -> StoredMessage:
    """`stored-message`."""
    speaker, results = Speaker(answer["speaker"]), tuple(answer["results"])
    return StoredMessage(**{**answer, "speaker": speaker, "results": results})


def _user_message(given: UserMessage) -> dict[str, Any]:
    return {
        "sender": case(Sender, "user.sender", given.sender),
        "delivery": case(Delivery, "user.delivery", given.delivery),
        "text": text("user.text", given.text),
        "parts": items(_part, "str, Image, ImageUrl or Block", "user.parts", given.parts),
        "date": optional(_date, "user.date", given.date),
    }


def _part(name: str, given: object) -> tuple[str, Any]:
    match given:
        case str():
            return ("text", text(f"{name}.text", given))
        case Image():
            return ("image", _image(f"{name}.image", given))
        case ImageUrl():
            return ("image-url", text(f"{name}.image-url", given.url))
        case Block():
            return ("block", spelled(f"{name}.block", given.json))
    expected = "a str, Image, ImageUrl or Block"
    raise TypeError(f"`{name}` must be {expected}, not {type(given).__name__}")


def _image(name: str, given: Image) -> dict[str, str]:
    data = given.data
    encoded = base64.b64encode(data).decode() if isinstance(data, bytes) else data
    return {
        "media_type": text(f"{name}.media-type", given.media_type),
        "base64": text(f"{name}.base64", encoded),
    }


def _date(name: str, given: object) -> str:
    """A date, of which a `datetime` is one with a time that nobody asked for."""
    if not isinstance(given, dt.date | str):
        raise TypeError(f"`{name}` must be a date or a str, not {type(given).__name__}")
    return text(name, given if isinstance(given, str) else dt.date.isoformat(given))


def _reply_call(answer: dict[str, Any]) -> ReplyCall:
    refused = answer["refused"]
    return ReplyCall(ToolCall(**answer["call"]), None if refused is None else inserted(refused))
