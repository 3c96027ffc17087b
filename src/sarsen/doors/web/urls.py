"""Every address of the web door."""

from __future__ import annotations

from django.urls import path, register_converter

from sarsen.doors.web.account import colours, joining, logins, settings
from sarsen.doors.web.account.colours import PICTURES
from sarsen.doors.web.board import (
    exports,
    in_words,
    live_updates,
    moves,
    page,
    pictures,
    practice,
    reviews,
    variations,
    viewer,
)
from sarsen.doors.web.challenges import forms
from sarsen.doors.web.help import pages
from sarsen.doors.web.players import pages as players_pages
from sarsen.doors.web.players import tables
from sarsen.doors.web.site import caught_mail, command_box, compose_mail, home, monitoring


class NumberConverter:
    """Read a number that every database can hold; a longer one is no page of ours."""

    regex = "[0-9]{1,9}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class ThemeConverter:
    """Read the name of the colours in which a picture is drawn."""

    regex = "|".join(sorted(PICTURES, key=len, reverse=True))

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(NumberConverter, "number")
register_converter(ThemeConverter, "theme")

urlpatterns = [
    path("", home.show_home, name="home"),
    path("games/", pages.show_games, name="games"),
    path("games/<slug:name>/", pages.show_game, name="game"),
    path("games/<slug:name>/picture.svg", pages.send_picture, name="game-picture"),
    path("games/<slug:name>/picture-<theme:theme>.svg", pages.send_picture, name="game-picture-in"),
    path("boards/<number:board>/", page.show_board, name="board"),
    path("boards/<number:board>/<number:ply>/", page.show_board, name="board-ply"),
    path("boards/<number:board>/cells.json", moves.send_cells, name="board-cells"),
    path("boards/<number:board>/text/", in_words.show_in_words, name="board-text"),
    path(
        "boards/<number:board>/<number:ply>/text/",
        in_words.show_in_words,
        name="board-ply-text",
    ),
    path("boards/<number:board>/<number:ply>.svg", pictures.send_picture, name="board-picture"),
    path(
        "boards/<number:board>/<number:ply>-<theme:theme>.svg",
        pictures.send_picture,
        name="board-picture-in",
    ),
    path("colours/", colours.show_colours, name="colours"),
    path("language/", settings.show_languages, name="languages"),
    path("boards/<number:board>/moves.json", moves.send_moves, name="board-moves"),
    path("boards/<number:board>/<number:ply>/moves.json", moves.send_moves, name="ply-moves"),
    path("boards/<number:board>/reason.json", moves.send_reason, name="board-reason"),
    path("boards/<number:board>/<number:ply>/reason.json", moves.send_reason, name="ply-reason"),
    path("do/", command_box.show_box, name="do"),
    path("my/", players_pages.show_my_boards, name="my"),
    path("my/next/", players_pages.go_to_next, name="next-board"),
    path("live/<str:key>/", live_updates.send_news, name="live"),
    path("join/", joining.show_join, name="join"),
    path("join/code/", joining.take_digits, name="join-code"),
    path("login/", logins.show_login, name="login"),
    path("login/code/", logins.take_code, name="login-code"),
    path("login/passkey/", logins.take_login, name="login-passkey"),
    path("login/passkey/question/", logins.ask_who, name="login-passkey-question"),
    path("login/<slug:token>/", logins.take_link, name="login-link"),
    path("logout/", logins.leave, name="logout"),
    path("challenges/", forms.show_challenges, name="challenges"),
    path("challenges/<number:number>/", forms.show_challenge, name="challenge"),
    path("challenges/<number:number>/<slug:key>/", forms.show_challenge, name="challenge-link"),
    path("games/<slug:name>/challenge/", forms.show_challenge_form, name="challenge-form"),
    path("games/<slug:name>/try/", practice.show_practice, name="practice"),
    path("games/<slug:name>/try/moves.json", practice.send_moves, name="practice-moves"),
    path("games/<slug:name>/try/reason.json", practice.send_reason, name="practice-reason"),
    *(
        path(f"games/<slug:name>/{kind}/", players_pages.show_report, {"kind": kind}, kind)
        for kind in ("ratings", "standings", "history")
    ),
    path("figures/", tables.show_figures, name="figures"),
    path("programs/", players_pages.show_programs, name="programs"),
    path("players/<slug:userid>/", players_pages.show_player, name="player"),
    path(
        "players/<slug:userid>/history/", players_pages.show_player_history, name="player-history"
    ),
    path("account/", settings.show_account, name="account"),
    path("account/export/", settings.send_export, name="export"),
    path("account/deliveries/", settings.show_deliveries, name="deliveries"),
    path("account/tokens/", settings.show_tokens, name="tokens"),
    path("account/tokens/end/", settings.end_token, name="end-token"),
    path("account/passkeys/", logins.add, name="add-passkey"),
    path("account/passkeys/question/", logins.ask_for_new, name="add-passkey-question"),
    path("account/passkeys/remove/", logins.remove, name="remove-passkey"),
    path("account/devices/", settings.show_devices, name="devices"),
    path("account/devices/add/", settings.take_device, name="take-device"),
    path("account/devices/renew/", settings.follow_device, name="renew-device"),
    path("account/devices/end/", settings.leave_device, name="leave-device"),
    path("account/program/", settings.mark_program, name="mark-program"),
    path("account/sessions/end/", settings.end_sessions, name="end-sessions"),
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
    path(
        "boards/<number:board>/small-<number:event>.svg",
        pictures.send_thumbnail,
        name="board-small",
    ),
    path(
        "boards/<number:board>/small-<number:event>-<theme:theme>.svg",
        pictures.send_thumbnail,
        name="board-small-in",
    ),
    path("boards/<number:board>/embed/", viewer.show_player, name="embed"),
    path("boards/<number:board>/embed/<number:ply>/", viewer.show_player, name="embed-ply"),
    path("boards/<number:board>/embed.svg", viewer.send_picture, name="embed-picture"),
    path(
        "boards/<number:board>/embed/<number:ply>.svg",
        viewer.send_picture,
        name="embed-picture-ply",
    ),
    path(".well-known/sarsen-keys", exports.send_keys, name="keys"),
    path("boards/<number:board>/review/", reviews.show_review, name="review"),
    path("boards/<number:board>/review/proof/", reviews.show_proof, name="review-proof"),
    path("boards/<number:board>/review/<number:ply>/", reviews.show_line, name="review-ply"),
    path(
        "boards/<number:board>/review/<number:ply>/<number:step>/",
        reviews.show_line,
        name="review-line",
    ),
    path("boards/<number:board>/variations/", variations.show_variations, name="variations"),
    path(
        "boards/<number:board>/variations/moves.json",
        variations.send_moves,
        name="variations-moves",
    ),
    path(
        "boards/<number:board>/variations/reason.json",
        variations.send_reason,
        name="variations-reason",
    ),
    path(
        "boards/<number:board>/variations/cells.json",
        variations.send_cells,
        name="variations-cells",
    ),
    path(
        "boards/<number:board>/variations/change/",
        variations.change_variations,
        name="change-variations",
    ),
    path("help/", pages.show_help, name="help"),
    path("help/<str:subject>/", pages.show_help, name="help-subject"),
    path("mail/", caught_mail.show_mailbox, name="mailbox"),
    path("mail/write/", compose_mail.write_new_mail, name="mail-write"),
    path("mail/<number:number>/", compose_mail.show_mail, name="mail"),
    path("mail/<number:number>/reply/", compose_mail.reply_to_mail, name="mail-reply"),
    path("mail/<number:number>/html/", caught_mail.send_html, name="mail-html"),
    path("mail/<number:number>/raw/", caught_mail.send_raw, name="mail-raw"),
    path("mail/<number:number>/picture.png", caught_mail.send_picture, name="mail-picture"),
    path(
        "mail/<number:number>/picture-<number:at>.png",
        caught_mail.send_picture,
        name="mail-picture-further",
    ),
    path("unsubscribe/<slug:token>/", settings.show_unsubscribe, name="unsubscribe"),
    path("unsubscribe/<slug:token>/on/", settings.switch_on, name="subscribe-again"),
    path("boards/<number:board>/moves.atom", exports.send_moves, name="board-moves-feed"),
    path("boards/<number:board>/deadline.ics", exports.send_deadline, name="board-deadline"),
    path("feeds/<slug:key>/boards.atom", exports.send_boards, name="boards-feed"),
    path("feeds/<slug:key>/deadlines.ics", exports.send_deadlines, name="deadlines-feed"),
    path("welcome/<slug:code>/", joining.show_welcome, name="welcome"),
    path("style/board.css", pictures.send_style_sheet, name="board-style"),
    path("manifest.webmanifest", home.send_manifest, name="manifest"),
    path("worker.js", home.send_worker, name="worker"),
    path("favicon.ico", home.send_favicon, name="favicon"),
    path("offline/", home.show_offline, name="offline"),
    *(
        path(
            f"icon-{purpose}-<number:size>.png",
            home.send_icon,
            {"purpose": purpose},
            f"icon-{purpose}",
        )
        for purpose in ("any", "maskable")
    ),
    path("health/", monitoring.send_health, name="health"),
    path("health/due/", monitoring.send_due_health, name="due-health"),
    path("metrics/", monitoring.send_metrics, name="metrics"),
]
