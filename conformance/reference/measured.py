"""A session that counts tokens (compaction: Tokens of a request, Pressure)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .casefile import Json
from .conversation import Message
from .incoming import GivenReply
from .models import Calibration
from .pressure import Pressure, Report, Strain, pressure
from .requests import Kept, Request
from .results import Draft, Inserted
from .session import number_of
from .shortening import Room, candidates, lengths, shortened
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
    room: Room | None = None

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
        before = replace(self.strain)
        request, keep, closed = super().build_request(given)
        upcoming = self.as_it_stands(parameters_of(given))
        full = replace(pressure(upcoming, before), room=self.room)
        request.pressure = full.as_json()
        request.model, request.raw = upcoming.name, full.estimate.raw
        return request, keep, closed

    def pressure(self, given: str) -> Json:
        """How full the window would be with the next request."""
        self.check_begun()
        return self.next_pressure(self.parameters_or_newest(given)).as_json()

    def parameters_or_newest(self, given: str, argument: str = "parameters") -> Json:
        """A request's parameters; the newest request's where nothing is given."""
        built = self.requests.built
        return (
            built[-1].parameters if built and not given.strip() else parameters_of(given, argument)
        )

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
        ahead.make_room(parameters)
        full = pressure(ahead.as_it_stands(parameters), self.strain)
        return replace(full, room=ahead.room)

    def make_room(self, parameters: Json) -> None:
        """Shows results shorter where the request would be stopped otherwise."""
        self.room = None
        if not pressure(self.as_it_stands(parameters), self.strain).wants_room:
            return
        for pool in candidates(self, self.messages, self.sent):
            for most in lengths(self):
                trial = self.copied()
                made = shortened(trial, self.messages, pool, most)
                if made is None:
                    continue
                trial.messages, changed = made
                if pressure(trial.as_it_stands(parameters), self.strain).fits:
                    self.messages, self.reads = trial.messages, trial.reads
                    self.searches = trial.searches
                    sent = any((number_of(id_) or 0) <= self.sent for id_ in changed)
                    self.room = Room(len(changed), most, sent)
                    self.made_room()
                    return

    def made_room(self) -> None:
        """Results are shown shorter from now on. What a request held of them begins anew."""
        if self.room is not None and self.room.sent:
            self.strain.shortened(len(self.requests.built))

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
