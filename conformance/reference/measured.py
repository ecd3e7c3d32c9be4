"""A session that counts tokens (compaction: Tokens of a request, Pressure)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .casefile import Json
from .conversation import Message
from .incoming import GivenReply
from .models import Calibration
from .pressure import Pressure, Report, Strain, pressure
from .requests import Kept, Request
from .results import Draft, Inserted
from .skilled import Skilled
from .talk import parameters_of
from .upcoming import Upcoming


@dataclass
class Measured(Skilled):
    """A conversation with a model whose window is finite.

    `turns` are the numbers of the messages that started one, without what was taken back.
    """

    calibration: Calibration = field(init=False)
    strain: Strain = field(default_factory=Strain)
    turns: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.calibration = Calibration(self.rules)

    def add_reply(self, given: GivenReply) -> Json:
        """The model's reply."""
        added = super().add_reply(given)
        self.strain.replied = True
        return added

    def build_request(self, given: str) -> tuple[Request, Kept, list[Json]]:
        """The next request, what it keeps of the one before, and results of calls left open."""
        request, keep, closed = super().build_request(given)
        upcoming = self.as_it_stands(parameters_of(given))
        full = pressure(upcoming, self.strain)
        request.pressure = full.as_json()
        request.model, request.raw = upcoming.name, full.estimate.raw
        return request, keep, closed

    def pressure(self, given: str) -> Json:
        """How full the window would be with the next request."""
        self.check_begun()
        return self.next_pressure(parameters_of(given)).as_json()

    def record_usage(self, number: int, given: str) -> Json:
        """What was reported of a request. The first report is a sample of its model's tokens."""
        built = self.requests.built
        is_first = 0 < number <= len(built) and built[number - 1].usage is None
        usage = super().record_usage(number, given)
        request = built[number - 1]
        if is_first:
            self.calibration.learn(request.model, request.raw, usage["input"])
        self.strain.reports.append(Report(number, request.model, usage))
        return usage

    def rewind(self, first: int, last: int | None) -> None:
        """Takes messages back."""
        before = set(self._numbers())
        super().rewind(first, last)
        taken = before - set(self._numbers())
        self.turns = [number for number in self.turns if number not in taken]

    def next_pressure(self, parameters: Json) -> Pressure:
        """How full the window would be, with what it is made of."""
        ahead = self.ahead(parameters)
        return pressure(ahead.as_it_stands(parameters), ahead.strain)

    def next_request(self, parameters: Json) -> Upcoming:
        """The next request, its open calls answered as they would be."""
        return self.ahead(parameters).as_it_stands(parameters)

    def ahead(self, parameters: Json) -> Measured:
        """The session as it would be when the next request is built."""
        ahead = self.copied()
        ahead.answer_open_calls()
        ahead.use_prompt(ahead.made_for(parameters))
        return ahead

    def as_it_stands(self, parameters: Json) -> Upcoming:
        """The next request, if nothing has to be done before it is built."""
        tools, messages = self.toolbox.listed, self.messages
        return Upcoming(
            self.requests, self.calibration, tools, self.in_front(), parameters, list(messages)
        )

    def _added(self, message: Message, closed: list[Json], calls: Json = ()) -> Json:
        self.strain.failed = set()
        if message.starts_turn:
            self.turns.append(message.number)
            self.strain.stages_in_turn = 0
        return super()._added(message, closed, calls)

    def _take(self, call_id: str, draft: Draft) -> Inserted:
        self.strain.failed = set()
        return super()._take(call_id, draft)
