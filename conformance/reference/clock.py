"""Dates and times in a text (§10.2; requests: Checks)."""

from __future__ import annotations

import re

BLANK = "[ \u00a0\u202f]"
YEAR = "(?:19|20)[0-9]{2}"
MONTH = "(?:0?[1-9]|1[0-2])"
DAY = "(?:0?[1-9]|[12][0-9]|3[01])"
TWO_MONTH = "(?:0[1-9]|1[0-2])"
TWO_DAY = "(?:0[1-9]|[12][0-9]|3[01])"
NAME = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
TH = "(?:st|nd|rd|th)"

HOUR = "(?:[01]?[0-9]|2[0-3])"
TWO_HOUR = "(?:[01][0-9]|2[0-3])"
MINUTE = "[0-5][0-9]"
OFFSET = "[+-](?:0[0-9]|1[0-4])"
ZONE = f"(?:Z|{BLANK}?(?:UTC|GMT|{OFFSET}:?{MINUTE}))"
SHORT_ZONE = f"(?:{ZONE}|{BLANK}?{OFFSET})"

BOUND = r"[\x21-\x7f]"
BEFORE_TIME = rf"(?:(?<!{BOUND})|(?<=[\"'`,;>*|]))"
BEFORE_DATE = rf"(?:(?<!{BOUND})|(?<=[\"'`,;>*|(\[:]))"
AFTER = rf"(?:(?!{BOUND})|(?=[,;!?)\]}}\"'`*<|]|[.:](?![0-9A-Za-z])))"

DATES = (
    f"{YEAR}-{MONTH}-{DAY}",
    f"{YEAR}/{MONTH}/{DAY}",
    rf"{YEAR}\.{TWO_MONTH}\.{TWO_DAY}",
    rf"{DAY}\.{MONTH}\.{YEAR}",
    f"(?:{DAY}/{MONTH}|{MONTH}/{DAY})/{YEAR}",
    f"(?:{DAY}-{MONTH}|{MONTH}-{DAY})-{YEAR}",
    f"{DAY}-{NAME}-{YEAR}",
    rf"{DAY}(?:{TH}|\.)?{BLANK}+(?:of{BLANK}+)?{NAME}\.?,?{BLANK}+{YEAR}",
    rf"{NAME}\.?{BLANK}+{DAY}{TH}?(?:,{BLANK}*|{BLANK}+){YEAR}",
    f"{YEAR}{BLANK}?年{BLANK}?{MONTH}{BLANK}?月{BLANK}?{DAY}{BLANK}?日",
)
COMPACT = f"{YEAR}{TWO_MONTH}{TWO_DAY}T{TWO_HOUR}{MINUTE}(?:{MINUTE})?{SHORT_ZONE}?"
TIMES = (
    rf"{HOUR}(?::{MINUTE}){{1,2}}{BLANK}?(?:[ap]m|[ap]\.m\.)",
    rf"{HOUR}(?:am|{BLANK}?(?:pm|[ap]\.m\.))",
    rf"{TWO_HOUR}:{MINUTE}:{MINUTE}(?:\.[0-9]+)?{SHORT_ZONE}?",
    f"{TWO_HOUR}:{MINUTE}{ZONE}",
)
BARE = (f"{TWO_HOUR}:{MINUTE}", f"{HOUR}{BLANK}?am")

FLAGS = re.IGNORECASE | re.ASCII

DATE = re.compile(
    rf"{BEFORE_DATE}(?=(?:{'|'.join(DATES)})(?:{AFTER}|T[0-9]{{2}})|{COMPACT}{AFTER})", FLAGS
)
TIME = re.compile(rf"{BEFORE_TIME}(?:{'|'.join(TIMES)}){AFTER}", FLAGS)
BARE_TIME = re.compile(rf"{BEFORE_TIME}(?=(?:{'|'.join(BARE)}){AFTER})", FLAGS)

VERSION = re.compile(r"version[\x00-\x20\"'`:(]*\Z", FLAGS)
WORD = re.compile(
    r"(?<![A-Za-z0-9_])(?:at|is|it['\u2019]s|now|time|as of|by|until|since|from|to)"
    r"[\x00-\x20\"'`:*>]*\Z",
    FLAGS,
)


def names_moment(text: str) -> bool:
    """Whether a text holds a date or a time of day."""
    dates = (text[: date.start()] for date in DATE.finditer(text))
    bare = (text[: time.start()] for time in BARE_TIME.finditer(text))
    return (
        TIME.search(text) is not None
        or any(VERSION.search(said) is None for said in dates)
        or any(WORD.search(said) is not None for said in bare)
    )
