"""The tables, by subject: players, challenges, contests, matches, clocks, ratings, plans, mail …"""

from sarsen.storage.models.analysis import AnalysisResult, Analyst
from sarsen.storage.models.challenges import (
    AnsweredRequest,
    Challenge,
    ChallengeSeat,
    InvitedAddress,
    MailInvitation,
)
from sarsen.storage.models.claims import Claim
from sarsen.storage.models.contests import Contest, ContestBoard, ContestEntry, ContestEvent
from sarsen.storage.models.learning import (
    LessonProgress,
    OwnPuzzle,
    PuzzleRating,
    PuzzleReport,
    PuzzleSubscription,
    PuzzleTry,
    PuzzleVote,
)
from sarsen.storage.models.mail import (
    Bounce,
    CaughtMail,
    HelpReplySent,
    InboundMail,
    OutgoingMail,
    QueuedDelivery,
    SentLetter,
)
from sarsen.storage.models.matches import (
    ChatLine,
    CountedFigures,
    Downtime,
    Heartbeat,
    Import,
    Match,
    MatchEvent,
    MatchSeat,
    Note,
    OpeningMove,
    Plan,
    Review,
    ReviewRequest,
    Vacation,
)
from sarsen.storage.models.notices import (
    AbuseReport,
    Announcement,
    Device,
    DigestItem,
    GameWish,
    News,
    Push,
    StreamItem,
    Subscription,
    WebhookCall,
)
from sarsen.storage.models.players import (
    Address,
    Attempt,
    AuditEntry,
    FormerUserid,
    LoginLetterRequest,
    Passkey,
    Player,
    Question,
    Signup,
    Token,
    WebSession,
)
from sarsen.storage.models.ratings import (
    Encounter,
    Measurement,
    Rating,
    RatingPeriod,
    RatingStep,
    Result,
    Standing,
)
