"""The public names, for type checkers and for `narrator`, which finds their modules here."""

from narrator import vtt as vtt
from narrator.api.judgement import (
    LinesRequest as LinesRequest,
    check as check,
    lines as lines,
    violations as violations,
)
from narrator.api.lookups import (
    Rulesets as Rulesets,
    TableRequest as TableRequest,
    TurnOrder as TurnOrder,
    TurnOrderRequest as TurnOrderRequest,
    table as table,
    turn_order as turn_order,
)
from narrator.api.moves import MoveRequest as MoveRequest, move as move
from narrator.api.occasion import WordRequest as WordRequest
from narrator.api.options import (
    Options as Options,
    SourceLike as SourceLike,
    StageOptions as StageOptions,
    SuggestOptions as SuggestOptions,
    WordOptions as WordOptions,
)
from narrator.api.requests import RequestLike as RequestLike, rulesets as rulesets
from narrator.api.rolls import odds as odds, reach as reach, resolve as resolve
from narrator.api.saying import (
    CompleteRequest as CompleteRequest,
    Completions as Completions,
    SayRequest as SayRequest,
    complete as complete,
    say as say,
)
from narrator.api.settlement import apply as apply, settle as settle
from narrator.api.staging import (
    astage as astage,
    astage_stream as astage_stream,
    stage as stage,
    stage_stream as stage_stream,
)
from narrator.api.word_calls import StageRequest as StageRequest
from narrator.api.words import (
    aprepare as aprepare,
    astream as astream,
    asuggest as asuggest,
    awarm as awarm,
    aword as aword,
    prepare as prepare,
    stream as stream,
    suggest as suggest,
    warm as warm,
    word as word,
)
from narrator.campaign.campaign import Campaign as Campaign, Write as Write
from narrator.campaign.opening import import_campaign as import_campaign, open_campaign as open_campaign
from narrator.campaign.records import Entry as Entry, Page as Page, PageEvent as PageEvent, Said as Said
from narrator.campaign.rolls import PageOptions as PageOptions
from narrator.chain import runnable as runnable, tools as tools
from narrator.config import load_deck as load_deck, load_ruleset as load_ruleset
from narrator.deck.deck_file import DeckFile as DeckFile
from narrator.errors import (
    GoWithoutError as GoWithoutError,
    NarratorError as NarratorError,
    RequestError as RequestError,
    TryAgainError as TryAgainError,
)
from narrator.line.reading import LineReading as LineReading, ReadLine as ReadLine, ReadPart as ReadPart
from narrator.rules.chances.chances import (
    InvocationOdds as InvocationOdds,
    Odds as Odds,
    Reach as Reach,
    Reaches as Reaches,
)
from narrator.rules.moves.aspects import (
    AspectMove as AspectMove,
    DropMove as DropMove,
    PassMove as PassMove,
)
from narrator.rules.moves.conflicts import (
    ConcedeMove as ConcedeMove,
    ConflictMove as ConflictMove,
    EndConflictMove as EndConflictMove,
    TurnMove as TurnMove,
)
from narrator.rules.moves.contests import (
    ChallengeMove as ChallengeMove,
    ClockMove as ClockMove,
    ContestMove as ContestMove,
    ExchangeMove as ExchangeMove,
    TaskMove as TaskMove,
)
from narrator.rules.moves.ends import (
    EndScenarioMove as EndScenarioMove,
    EndSceneMove as EndSceneMove,
    EndSessionMove as EndSessionMove,
    SceneMove as SceneMove,
)
from narrator.rules.moves.harm import (
    ClearMove as ClearMove,
    HitMove as HitMove,
    RecoverMove as RecoverMove,
)
from narrator.rules.moves.milestones import (
    MilestoneMove as MilestoneMove,
)
from narrator.rules.moves.move import Move as Move
from narrator.rules.moves.people import (
    ChangeMove as ChangeMove,
    EnterMove as EnterMove,
    LeaveMove as LeaveMove,
)
from narrator.rules.moves.points import (
    CompelMove as CompelMove,
    PayMove as PayMove,
)
from narrator.rules.request.action import (
    Action as Action,
    Active as Active,
    Aspects as Aspects,
    Attack as Attack,
    Invocation as Invocation,
    Movement as Movement,
    Opposition as Opposition,
    Passive as Passive,
    Request as Request,
    Roar as Roar,
    Roll as Roll,
    UnseenZone as UnseenZone,
    Untold as Untold,
)
from narrator.rules.request.overlay import Overlay as Overlay
from narrator.rules.request.scene import (
    Character as Character,
    Consequence as Consequence,
    Scene as Scene,
    SceneAspect as SceneAspect,
    StressTrack as StressTrack,
    Zone as Zone,
)
from narrator.rules.request.trackers import (
    Challenge as Challenge,
    Clock as Clock,
    Conflict as Conflict,
    Contest as Contest,
    Task as Task,
)
from narrator.rules.resolve.resolution import (
    Absorption as Absorption,
    ActionTaken as ActionTaken,
    Branch as Branch,
    FormOffer as FormOffer,
    Grant as Grant,
    OppositionResult as OppositionResult,
    Resolution as Resolution,
    RollResult as RollResult,
    Slot as Slot,
)
from narrator.rules.ruleset.between_rolls import (
    ConflictsSpec as ConflictsSpec,
    ContestsSpec as ContestsSpec,
    FatePointsSpec as FatePointsSpec,
    MilestoneSpec as MilestoneSpec,
    RecoverySpec as RecoverySpec,
    ScenesSpec as ScenesSpec,
)
from narrator.rules.ruleset.card import Card as Card
from narrator.rules.ruleset.ruleset import Ruleset as Ruleset
from narrator.rules.ruleset.table import Table as Table, TableRow as TableRow
from narrator.rules.settle.changes import Change as Change, Settled as Settled
from narrator.rules.settle.choice import (
    AbsorbChoice as AbsorbChoice,
    Choice as Choice,
    GrantChoice as GrantChoice,
    NamedConsequence as NamedConsequence,
)
from narrator.rules.settle.suggestion import Suggestion as Suggestion
from narrator.sources.budget import Budget as Budget, Budgeted as Budgeted
from narrator.sources.langchain import from_langchain as from_langchain
from narrator.sources.selection import openai_model as openai_model
from narrator.suggestions.pipeline.answer import (
    AcceptedEvent as AcceptedEvent,
    Answer as Answer,
    CardEvent as CardEvent,
    DoneEvent as DoneEvent,
    Event as Event,
    NoticeEvent as NoticeEvent,
    Prepared as Prepared,
    PreparedRow as PreparedRow,
    RejectedEvent as RejectedEvent,
    ResolutionEvent as ResolutionEvent,
    Staged as Staged,
    StagedEvent as StagedEvent,
    StageEvent as StageEvent,
    StagingEvent as StagingEvent,
    Usage as Usage,
    UsageEvent as UsageEvent,
    Word as Word,
    Words as Words,
)
from narrator.suggestions.prompt.brief import Brief as Brief, Manner as Manner, Wanted as Wanted
from narrator.suggestions.source.protocol import (
    AsyncSource as AsyncSource,
    BlockingSource as BlockingSource,
    Piece as Piece,
    Source as Source,
    SourceError as SourceError,
    Tokens as Tokens,
)
from narrator.validation.line_coverage import Barred as Barred, BarredLines as BarredLines
from narrator.validation.verdict import (
    Candidate as Candidate,
    Rejection as Rejection,
    Verdict as Verdict,
    Violation as Violation,
    Violations as Violations,
)

__version__: str
