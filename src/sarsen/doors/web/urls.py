"""Every address of the web door."""

from __future__ import annotations

from django.urls import path, register_converter

from sarsen.doors.web import (
    account,
    board_feeds,
    boards,
    challenge_forms,
    challenges,
    colours,
    commands,
    devices,
    feeds,
    figures,
    games,
    health,
    help_pages,
    home,
    installing,
    joining,
    languages,
    listening,
    live,
    logins,
    mailbox,
    metrics,
    my,
    passkeys,
    pictures,
    players,
    pointing,
    posting,
    practice,
    programs,
    records,
    reports,
    reviews,
    thumbnails,
    tokens,
    unsubscribe,
    variations,
    viewer,
    welcome,
)
from sarsen.doors.web.themes import PICTURES


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
    path("games/", games.show_games, name="games"),
    path("games/<slug:name>/", games.show_game, name="game"),
    path("games/<slug:name>/picture.svg", games.send_picture, name="game-picture"),
    path("games/<slug:name>/picture-<theme:theme>.svg", games.send_picture, name="game-picture-in"),
    path("boards/<number:board>/", boards.show_board, name="board"),
    path("boards/<number:board>/<number:ply>/", boards.show_board, name="board-ply"),
    path("boards/<number:board>/cells.json", listening.send_cells, name="board-cells"),
    path("boards/<number:board>/text/", listening.show_in_words, name="board-text"),
    path(
        "boards/<number:board>/<number:ply>/text/",
        listening.show_in_words,
        name="board-ply-text",
    ),
    path("boards/<number:board>/<number:ply>.svg", boards.send_picture, name="board-picture"),
    path(
        "boards/<number:board>/<number:ply>-<theme:theme>.svg",
        boards.send_picture,
        name="board-picture-in",
    ),
    path("colours/", colours.show_colours, name="colours"),
    path("language/", languages.show_languages, name="languages"),
    path("boards/<number:board>/moves.json", pointing.send_moves, name="board-moves"),
    path("boards/<number:board>/<number:ply>/moves.json", pointing.send_moves, name="ply-moves"),
    path("boards/<number:board>/reason.json", pointing.send_reason, name="board-reason"),
    path("boards/<number:board>/<number:ply>/reason.json", pointing.send_reason, name="ply-reason"),
    path("do/", commands.show_box, name="do"),
    path("my/", my.show_my_boards, name="my"),
    path("my/next/", my.go_to_next, name="next-board"),
    path("live/<str:key>/", live.send_news, name="live"),
    path("join/", joining.show_join, name="join"),
    path("join/code/", joining.take_digits, name="join-code"),
    path("login/", logins.show_login, name="login"),
    path("login/code/", logins.take_code, name="login-code"),
    path("login/passkey/", passkeys.take_login, name="login-passkey"),
    path("login/passkey/question/", passkeys.ask_who, name="login-passkey-question"),
    path("login/<slug:token>/", logins.take_link, name="login-link"),
    path("logout/", logins.leave, name="logout"),
    path("challenges/", challenges.show_challenges, name="challenges"),
    path("challenges/<number:number>/", challenges.show_challenge, name="challenge"),
    path(
        "challenges/<number:number>/<slug:key>/", challenges.show_challenge, name="challenge-link"
    ),
    path(
        "games/<slug:name>/challenge/", challenge_forms.show_challenge_form, name="challenge-form"
    ),
    path("games/<slug:name>/try/", practice.show_practice, name="practice"),
    path("games/<slug:name>/try/moves.json", practice.send_moves, name="practice-moves"),
    path("games/<slug:name>/try/reason.json", practice.send_reason, name="practice-reason"),
    path("games/<slug:name>/ratings/", reports.show_ratings, name="ratings"),
    path("games/<slug:name>/standings/", reports.show_standings, name="standings"),
    path("games/<slug:name>/history/", reports.show_history, name="history"),
    path("figures/", figures.show_figures, name="figures"),
    path("programs/", programs.show_programs, name="programs"),
    path("players/<slug:userid>/", players.show_player, name="player"),
    path("players/<slug:userid>/history/", reports.show_player_history, name="player-history"),
    path("account/", account.show_account, name="account"),
    path("account/export/", account.send_export, name="export"),
    path("account/deliveries/", account.show_deliveries, name="deliveries"),
    path("account/tokens/", tokens.show_tokens, name="tokens"),
    path("account/tokens/end/", tokens.end_token, name="end-token"),
    path("account/passkeys/", passkeys.add, name="add-passkey"),
    path("account/passkeys/question/", passkeys.ask_for_new, name="add-passkey-question"),
    path("account/passkeys/remove/", passkeys.remove, name="remove-passkey"),
    path("account/devices/", devices.show_devices, name="devices"),
    path("account/devices/add/", devices.take_device, name="take-device"),
    path("account/devices/renew/", devices.follow_device, name="renew-device"),
    path("account/devices/end/", devices.leave_device, name="leave-device"),
    path("account/program/", tokens.mark_program, name="mark-program"),
    path("account/sessions/end/", account.end_sessions, name="end-sessions"),
    path("boards/<number:board>/record.txt", records.send_text, name="record"),
    path("boards/<number:board>/record.json", records.send_json, name="record-json"),
    path("boards/<number:board>/record.sgf", records.send_sgf, name="record-sgf"),
    *(
        path(f"{place}records.{form}", records.send_collection, {"form": form}, f"{name}-{form}")
        for place, name in (
            ("", "records"),
            ("games/<slug:name>/", "game-records"),
            ("players/<slug:userid>/", "player-records"),
        )
        for form in ("txt", "jsonl")
    ),
    path(
        "boards/<number:board>/small-<number:event>.svg",
        thumbnails.send_thumbnail,
        name="board-small",
    ),
    path(
        "boards/<number:board>/small-<number:event>-<theme:theme>.svg",
        thumbnails.send_thumbnail,
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
    path(".well-known/sarsen-keys", records.send_keys, name="keys"),
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
    path("help/", help_pages.show_help, name="help"),
    path("help/<str:subject>/", help_pages.show_help, name="help-subject"),
    path("mail/", mailbox.show_mailbox, name="mailbox"),
    path("mail/write/", posting.write_new_mail, name="mail-write"),
    path("mail/<number:number>/", mailbox.show_mail, name="mail"),
    path("mail/<number:number>/reply/", posting.reply_to_mail, name="mail-reply"),
    path("mail/<number:number>/html/", mailbox.send_html, name="mail-html"),
    path("mail/<number:number>/raw/", mailbox.send_raw, name="mail-raw"),
    path("mail/<number:number>/picture.png", mailbox.send_picture, name="mail-picture"),
    path(
        "mail/<number:number>/picture-<number:at>.png",
        mailbox.send_picture,
        name="mail-picture-further",
    ),
    path("unsubscribe/<slug:token>/", unsubscribe.show_unsubscribe, name="unsubscribe"),
    path("unsubscribe/<slug:token>/on/", unsubscribe.switch_on, name="subscribe-again"),
    path("boards/<number:board>/moves.atom", board_feeds.send_moves, name="board-moves-feed"),
    path("boards/<number:board>/deadline.ics", board_feeds.send_deadline, name="board-deadline"),
    path("feeds/<slug:key>/boards.atom", feeds.send_boards, name="boards-feed"),
    path("feeds/<slug:key>/deadlines.ics", feeds.send_deadlines, name="deadlines-feed"),
    path("welcome/<slug:code>/", welcome.show_welcome, name="welcome"),
    path("style/board.css", pictures.send_style_sheet, name="board-style"),
    path("manifest.webmanifest", installing.send_manifest, name="manifest"),
    path("worker.js", installing.send_worker, name="worker"),
    path("favicon.ico", installing.send_favicon, name="favicon"),
    path("offline/", installing.show_offline, name="offline"),
    *(
        path(
            f"icon-{purpose}-<number:size>.png",
            installing.send_icon,
            {"purpose": purpose},
            f"icon-{purpose}",
        )
        for purpose in ("any", "maskable")
    ),
    path("health/", health.send_health, name="health"),
    path("health/due/", health.send_due_health, name="due-health"),
    path("metrics/", metrics.send_metrics, name="metrics"),
]
