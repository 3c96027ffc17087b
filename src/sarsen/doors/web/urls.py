"""Every address of the web door."""

from __future__ import annotations

from collections.abc import Callable

from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, register_converter
from django.urls.converters import IntConverter, StringConverter

from sarsen.doors.web.account import colours, invited, logins, preferences, settings
from sarsen.doors.web.board import (
    exports,
    in_words,
    moves,
    page,
    pictures,
    practice,
    reviews,
    variations,
    viewer,
)
from sarsen.doors.web.challenges import forms
from sarsen.doors.web.contests import calendar as contest_calendar
from sarsen.doors.web.contests import pages as contest_pages
from sarsen.doors.web.frame import live_updates
from sarsen.doors.web.frame.themes import PICTURES
from sarsen.doors.web.help import pages
from sarsen.doors.web.learning import analysis_pages as analysis
from sarsen.doors.web.learning import mistake_pages, puzzle_days, puzzle_exports, solved_pages
from sarsen.doors.web.learning import pages as lessons
from sarsen.doors.web.learning import puzzle_pages as puzzles
from sarsen.doors.web.players import my_boards, past_games, rankings
from sarsen.doors.web.players import pages as players_pages
from sarsen.doors.web.site import (
    caught_mail,
    command_box,
    compose_mail,
    home,
    installed_app,
    monitoring,
    news,
    statistics,
    styles,
    wishes,
)

View = Callable[..., HttpResponseBase]


class NumberConverter(IntConverter):
    """Read a number that every database can hold; a longer one is no page of ours."""

    regex = "[0-9]{1,9}"


class ThemeConverter(StringConverter):
    """Read the name of the colours in which a picture is drawn."""

    regex = "|".join(sorted(PICTURES, key=len, reverse=True))


register_converter(NumberConverter, "number")
register_converter(ThemeConverter, "theme")


def _at(prefix: str, *pages: tuple[str, View, str]) -> list[URLPattern]:
    """Return addresses that begin alike: what follows, the view and the name of each."""
    return [path(prefix + suffix, view, name=name) for suffix, view, name in pages]


urlpatterns = [
    *_at(
        "boards/<number:board>/",
        ("", page.show_board, "board"),
        ("<number:ply>/", page.show_board, "board-ply"),
        ("text/", in_words.show_in_words, "board-text"),
        ("<number:ply>/text/", in_words.show_in_words, "board-ply-text"),
        ("<number:ply>.svg", pictures.send_picture, "board-picture"),
        ("<number:ply>-<theme:theme>.svg", pictures.send_picture, "board-picture-in"),
        ("moves.json", moves.send_moves, "board-moves"),
        ("<number:ply>/moves.json", moves.send_moves, "ply-moves"),
        ("reason.json", moves.send_reason, "board-reason"),
        ("<number:ply>/reason.json", moves.send_reason, "ply-reason"),
        ("small-<number:event>.svg", pictures.send_thumbnail, "board-small"),
        ("small-<number:event>-<theme:theme>.svg", pictures.send_thumbnail, "board-small-in"),
        ("embed/", viewer.show_player, "embed"),
        ("embed/<number:ply>/", viewer.show_player, "embed-ply"),
        ("embed.svg", viewer.send_picture, "embed-picture"),
        ("embed/<number:ply>.svg", viewer.send_picture, "embed-picture-ply"),
        ("moves.atom", exports.send_moves, "board-moves-feed"),
        ("deadline.ics", exports.send_deadline, "board-deadline"),
    ),
    *_at(
        "boards/<number:board>/variations/",
        ("", variations.show_variations, "variations"),
        ("moves.json", variations.send_moves, "variations-moves"),
        ("reason.json", variations.send_reason, "variations-reason"),
        ("change/", variations.change_variations, "change-variations"),
    ),
    *_at(
        "boards/<number:board>/review/",
        ("", reviews.show_review, "review"),
        ("proof/", reviews.show_proof, "review-proof"),
        ("again/<number:at>/", mistake_pages.show_mistake, "review-again"),
        ("<number:ply>/", reviews.show_line, "review-ply"),
        ("<number:ply>/<number:step>/", reviews.show_line, "review-line"),
    ),
    *_at(
        "",
        ("", home.show_home, "home"),
        ("watch/", home.show_watch, "watch"),
        ("games/", pages.show_games, "games"),
        ("colours/", colours.show_colours, "colours"),
        ("styles/", styles.show_styles, "styles"),
        ("language/", settings.show_languages, "languages"),
        ("do/", command_box.show_box, "do"),
        ("my/", my_boards.show_my_boards, "my"),
        ("my/next/", my_boards.go_to_next, "next-board"),
        ("live/<str:key>/", live_updates.send_news, "live"),
        ("join/", logins.show_join, "join"),
        ("join/code/", logins.take_digits, "join-code"),
        ("logout/", logins.leave, "logout"),
        ("challenges/", forms.show_challenges, "challenges"),
        ("challenges/<number:number>/", forms.show_challenge, "challenge"),
        ("challenges/<number:number>/<slug:key>/", forms.show_challenge, "challenge-link"),
        ("contests/", contest_pages.show_contests, "contests"),
        ("contests/calendar/", contest_calendar.show_calendar, "contest-calendar"),
        ("contests/calendar.ics", contest_calendar.send_dates, "contest-dates"),
        ("contests/<number:number>/", contest_pages.show_contest, "contest"),
        ("contests/<number:number>/feed/", contest_calendar.send_news, "contest-feed"),
        ("figures/", statistics.show_figures, "figures"),
        ("programs/", rankings.show_programs, "programs"),
        ("players/", rankings.show_players, "players"),
        ("players/<slug:userid>/", players_pages.show_player, "player"),
        ("players/<slug:userid>/history/", past_games.show_history, "player-history"),
        ("search/", past_games.show_history, "search"),
        ("news/", news.show_news, "news"),
        ("wishes/", wishes.show_wishes, "wishes"),
        ("news/<number:number>/", news.show_news_item, "news-item"),
        ("news/feed.atom", exports.send_news, "news-feed"),
        (".well-known/sarsen-keys", exports.send_keys, "keys"),
        ("help/", pages.show_help, "help"),
        ("help/<str:subject>/", pages.show_help, "help-subject"),
        ("unsubscribe/<slug:token>/", settings.show_unsubscribe, "unsubscribe"),
        ("unsubscribe/<slug:token>/on/", settings.switch_on, "subscribe-again"),
        ("feeds/<slug:key>/boards.atom", exports.send_boards, "boards-feed"),
        ("feeds/<slug:key>/deadlines.ics", exports.send_deadlines, "deadlines-feed"),
        ("feeds/<slug:key>/contests.ics", contest_calendar.send_own_dates, "own-contest-dates"),
        ("welcome/<slug:code>/", logins.show_welcome, "welcome"),
        ("invited/<slug:code>/", invited.show_invitation, "invited"),
        ("invited/<slug:code>/never/", invited.stop_invitations, "no-invitations"),
        ("style/board.css", styles.send_style_sheet, "board-style"),
        ("manifest.webmanifest", installed_app.send_manifest, "manifest"),
        ("worker.js", installed_app.send_worker, "worker"),
        ("favicon.ico", installed_app.send_favicon, "favicon"),
        ("offline/", installed_app.show_offline, "offline"),
        ("health/", monitoring.send_health, "health"),
        ("health/due/", monitoring.send_due_health, "due-health"),
        ("metrics/", monitoring.send_metrics, "metrics"),
    ),
    *_at(
        "games/<slug:name>/",
        ("", pages.show_game, "game"),
        ("picture.svg", pages.send_picture, "game-picture"),
        ("picture-<theme:theme>.svg", pages.send_picture, "game-picture-in"),
        ("classic/<number:ply>-<theme:theme>.svg", pages.send_classic, "classic-picture-in"),
        ("challenge/", forms.show_challenge_form, "challenge-form"),
        ("history/", past_games.show_history, "history"),
        ("openings/", past_games.show_openings, "openings"),
        ("try/", practice.show_practice, "practice"),
        ("try/moves.json", practice.send_moves, "practice-moves"),
        ("try/reason.json", practice.send_reason, "practice-reason"),
    ),
    *_at(
        "learn/",
        ("", lessons.show_lessons, "lessons"),
        ("<slug:name>/", lessons.go_to_step, "lesson"),
        ("<slug:name>/<slug:step>/", lessons.show_step, "lesson-step"),
        ("<slug:name>/<slug:step>/moves.json", lessons.send_moves, "lesson-moves"),
        ("<slug:name>/<slug:step>/reason.json", lessons.send_reason, "lesson-reason"),
    ),
    *_at(
        "analyse/",
        ("", analysis.show_games, "analyses"),
        ("<slug:name>/", analysis.show_analysis, "analysis"),
        ("<slug:name>/answer/", analysis.send_answer, "analysis-answer"),
        ("<slug:name>/moves.json", analysis.send_moves, "analysis-moves"),
        ("<slug:name>/reason.json", analysis.send_reason, "analysis-reason"),
    ),
    *_at(
        "puzzles/",
        ("", puzzles.show_puzzles, "puzzles"),
        ("days/", puzzle_days.show_days, "puzzle-days"),
        ("<slug:name>/", puzzles.go_to_puzzle, "puzzle-game"),
        ("<slug:name>.atom", puzzle_exports.send_daily_feed, "puzzle-feed"),
        ("<slug:name>/daily/", puzzles.go_to_daily, "puzzle-daily"),
        ("<slug:name>/daily/embed/", puzzle_exports.show_frame, "puzzle-embed"),
        ("<slug:name>/<int:number>.svg", puzzle_exports.send_picture, "puzzle-picture"),
        ("<slug:name>/<int:number>/", puzzles.show_puzzle, "puzzle"),
        ("<slug:name>/<int:number>/moves.json", puzzles.send_moves, "puzzle-moves"),
        ("<slug:name>/<int:number>/reason.json", puzzles.send_reason, "puzzle-reason"),
    ),
    *_at(
        "solved/",
        ("", solved_pages.show_solved, "solved"),
        ("<slug:claim>/", solved_pages.show_claim, "claim"),
        ("<slug:claim>/<str:name>", solved_pages.send_file, "claim-file"),
    ),
    *_at(
        "login/",
        ("", logins.show_login, "login"),
        ("code/", logins.take_code, "login-code"),
        ("passkey/", logins.take_login, "login-passkey"),
        ("passkey/question/", logins.ask_who, "login-passkey-question"),
        ("<slug:token>/", logins.take_link, "login-link"),
    ),
    *_at(
        "account/",
        ("", preferences.show_profile, "account"),
        ("play/", preferences.show_play, "account-play"),
        ("mail/", preferences.show_notices, "account-notices"),
        ("look/", settings.show_look, "account-look"),
        ("security/", settings.show_security, "account-security"),
        ("more/", settings.show_advanced, "account-more"),
        ("export/", settings.send_export, "export"),
        ("deliveries/", settings.show_deliveries, "deliveries"),
        ("tokens/", settings.show_tokens, "tokens"),
        ("tokens/end/", settings.end_token, "end-token"),
        ("passkeys/", logins.add, "add-passkey"),
        ("passkeys/question/", logins.ask_for_new, "add-passkey-question"),
        ("passkeys/remove/", logins.remove, "remove-passkey"),
        ("devices/", settings.show_devices, "devices"),
        ("devices/add/", settings.subscribe_device, "take-device"),
        ("devices/renew/", settings.renew_subscription, "renew-device"),
        ("devices/end/", settings.unsubscribe_device, "leave-device"),
        ("program/", settings.mark_program, "mark-program"),
        ("sessions/end/", settings.end_sessions, "end-sessions"),
    ),
    *_at(
        "mail/",
        ("", caught_mail.show_mailbox, "mailbox"),
        ("write/", compose_mail.write_new_mail, "mail-write"),
        ("<number:number>/", compose_mail.show_mail, "mail"),
        ("<number:number>/reply/", compose_mail.reply_to_mail, "mail-reply"),
        ("<number:number>/html/", caught_mail.send_html, "mail-html"),
        ("<number:number>/raw/", caught_mail.send_raw, "mail-raw"),
        ("<number:number>/picture.png", caught_mail.send_picture, "mail-picture"),
        (
            "<number:number>/picture-<number:at>.png",
            caught_mail.send_picture,
            "mail-picture-further",
        ),
    ),
    *(
        path(f"games/<slug:name>/{kind}/", rankings.show_report, {"kind": kind}, kind)
        for kind in ("ratings", "standings")
    ),
    *(
        path(f"boards/<number:board>/record.{form}", exports.send_record, {"form": form}, name)
        for form, name in (("txt", "record"), ("json", "record-json"), ("sgf", "record-sgf"))
    ),
    *(
        path(f"{place}records.{form}", exports.send_collection, {"form": form}, f"{name}-{form}")
        for place, name in (
            ("", "records"),
            ("games/<slug:name>/", "game-records"),
            ("players/<slug:userid>/", "player-records"),
        )
        for form in ("txt", "jsonl")
    ),
    *(
        path(
            f"icon-{purpose}-<number:size>.png",
            installed_app.send_icon,
            {"purpose": purpose},
            f"icon-{purpose}",
        )
        for purpose in ("any", "maskable")
    ),
]
