"""The session's breakpoints of the cache (requests: Breakpoints of the prompt cache)."""

from __future__ import annotations

from itertools import pairwise

from .casefile import Json
from .dialects import Dialect, Item

MOST = 4

Place = tuple[str, int]
Marked = dict[Place, Json]


def marked(
    dialect: Dialect, parameters: Json, in_front: tuple[list[Json], Json], items: list[Item]
) -> Marked:
    """The breakpoints that the session sets, by the part and the block in it."""
    tools, system = in_front
    count = int(dialect.rules.value("requests.cache_breakpoints"))
    if dialect.system_key != "system" or count == 0:
        return {}
    blocks: dict[Place, Json] = {("tools", place): block for place, block in enumerate(tools)}
    blocks |= {("system", place): block for place, block in enumerate(system or [])}
    blocks |= {("messages", place): item.json for place, item in enumerate(items)}
    whole = _own({"cache_control": parameters.get("cache_control")})
    wanted = _wanted(tools, system, items, count)
    if whole and items and ("messages", len(items) - 1) in wanted:
        wanted.remove(("messages", len(items) - 1))
    wanted = [place for place in wanted if "cache_control" not in blocks[place]]
    found = _lasting(dialect, blocks, wanted, whole)
    room = MOST - len(whole) - sum(len(_callers(block)) for block in blocks.values())
    kept = list(found)[: max(room, 0)]
    return {place: found[place] for place in kept}


def _wanted(tools: list[Json], system: Json, items: list[Item], count: int) -> list[Place]:
    """Where the session sets breakpoints if nothing forbids it, the one it gives up last first."""
    places: list[Place] = []
    loaded = [place for place, tool in enumerate(tools) if tool.get("defer_loading") is not True]
    if system is not None:
        places = [("system", len(system) - 1)]
    elif loaded:
        places = [("tools", loaded[-1])]
    given = sum(len(_callers(item.json)) for item in items if item.role == "user")
    pairs = enumerate(pairwise([*(item.role for item in items), None]))
    lasts = [place for place, roles in pairs if roles[0] == "user" and roles[1] != "user"]
    newest = lasts[::-1][: max(count - 1 - given, 0)]
    return places + [("messages", place) for place in newest]


def _lasting(
    dialect: Dialect, blocks: dict[Place, Json], wanted: list[Place], whole: list[str]
) -> Marked:
    """The breakpoints with their lives: none of an hour stands behind one of less."""
    ttl = dialect.rules.value("requests.cache_ttl")
    found: Marked = {}
    order = list(blocks)
    for place in wanted:
        at = order.index(place) + 1
        ahead = [life for one in order[:at] for life in _callers(blocks[one])]
        behind = [life for one in order[at:] for life in _callers(blocks[one])] + whole
        life = "" if ttl == "1h" and "5m" in ahead else ttl
        if life == "1h" or "1h" not in behind:
            found[place] = {"type": "ephemeral"} | ({"ttl": life} if life else {})
    return found


def _callers(block: Json) -> list[str]:
    """How long the caller's breakpoints last: of a block, and of those that it holds."""
    inside = block.get("content")
    held = inside if isinstance(inside, list) else []
    return [life for one in [*held, block] for life in _own(one)]


def _own(block: Json) -> list[str]:
    mark = block.get("cache_control") if isinstance(block, dict) else None
    if mark is None:
        return []
    is_hour = isinstance(mark, dict) and mark.get("ttl") == "1h"
    return ["1h" if is_hour else "5m"]
