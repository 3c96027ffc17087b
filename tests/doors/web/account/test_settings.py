"""The pages of settings, and the form of a challenge: what they show, and what they send."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from sarsen.storage.models import Player, PuzzleSubscription, Vacation
from visitor import Visitor
from web_world import NOW

Visit = Callable[..., Visitor]


def test_planned_vacations_and_what_is_watched_stand_among_the_settings(
    world: Any, visit: Visit
) -> None:
    ann = visit("ann")
    assert "Nothing yet." in ann.go("/account/mail/")
    first = datetime.now(UTC).date() + timedelta(days=30)
    last = first + timedelta(days=3)
    ann.type(f"vacation {first} {last}")
    ann.go("/account/mail/")
    ann.press("Follow", subscribe="druid")
    assert ann.tree.xpath("//section//a[@href='/games/druid/']")
    ann.press("Unfollow druid")
    assert "Nothing yet." in ann.text
    ann.go("/account/play/")
    assert f"{first.day} {first:%B %Y} to {last.day} {last:%B %Y}" in ann.text
    ann.press("Cancel all vacations")
    assert "Your vacations" not in ann.text
    assert "In this browser" in ann.go("/account/security/")


def test_all_that_was_changed_on_a_page_is_saved_at_once(world: Any, visit: Visit) -> None:
    world.player("bob")
    ann = visit("ann")
    year = datetime.now(UTC).year + 1

    def save(path: str, **fields: str) -> None:
        ann.go(path)
        ann.press("Save", **fields)
        assert (ann.status, ann.path) == (200, path), ann.text
        assert "Saved." in ann.text

    save("/account/", zone="Europe/Vienna", about="ann plays <b>chess</b>,\n too.", place="Wien")
    days = {"vacation": f"{year}-03-01", "vacation_last": f"{year}-03-09"}
    save(
        "/account/play/",
        **{"weekends": "on", "refuse": "bob anyone", "autoaccept": "druid", "limit": "12"},
        **days,
    )
    save("/account/play/", refuse="anyone, gyges")
    save("/account/mail/", notice_chat="digest", quiet="22-7", digest="6", weekly="on")
    save("/account/mail/", coordinates="")
    player = Player.objects.get(key="ann")
    assert player.timezone == "Europe/Vienna"
    assert (player.place, player.about) == ("Wien", "ann plays <b>chess</b>, too.")
    assert player.weekends_are_off
    assert Vacation.objects.filter(player=player).count() == 1
    assert (player.refuses, player.accepts) == (["anyone", "gyges"], ["druid"])
    assert player.most_games == 12
    assert (player.quiet_from, player.quiet_until, player.digest_hour) == (22, 7, 6)
    assert player.channels["chat"] == "digest"
    assert player.subscriptions.get().is_weekly
    assert not player.wants_coordinates
    save("/account/play/", weekends="", refuse="", limit="")
    save("/account/mail/", quiet="", weekly="", coordinates="on")
    save("/account/", about="")
    player = Player.objects.get(key="ann")
    assert (player.place, player.about) == ("Wien", "")
    assert (player.weekends_are_off, player.refuses, player.most_games) == (False, [], None)
    assert player.quiet_from is None
    assert player.wants_coordinates
    assert not player.subscriptions.exists()


def test_a_refusal_names_its_field_and_keeps_what_was_typed(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/play/")
    ann.press("Save", limit="many", autoaccept="druid", vacation="2030-03-01")
    assert ann.status == 422
    refused = [" ".join(one.text_content().split()) for one in ann.tree.xpath("//*[@role='alert']")]
    assert len(refused) == 2
    assert refused[0].startswith("Next vacation")
    assert refused[1].startswith("Limit of games at once")
    assert ann.tree.xpath("//input[@id='limit']/@value") == ["many"]
    player = Player.objects.get(key="ann")
    assert (player.accepts, player.most_games) == (["druid"], None)
    ann.press("Save", limit="7", vacation="", vacation_last="")
    assert (ann.status, Player.objects.get(key="ann").most_games) == (200, 7)


def test_a_page_that_lay_open_changes_nothing_back(world: Any, visit: Visit) -> None:
    world.player("bob")
    ann = visit("ann")
    ann.go("/account/play/")
    Player.objects.filter(key="ann").update(most_games=3, refuses=["gyges"])
    ann.press("Save", refuse="bob")
    player = Player.objects.get(key="ann")
    assert (player.most_games, player.refuses) == (3, ["gyges", "bob"])


def test_a_refused_page_changes_nothing_back_either(world: Any, visit: Visit) -> None:
    world.player("bob")
    world.player("carl")
    ann = visit("ann")
    ann.go("/account/play/")
    Player.objects.filter(key="ann").update(refuses=["bob"])
    ann.press("Save", refuse="zzznobody", limit="9")
    assert ann.status == 422
    assert "All other changes are saved." in ann.text
    ann.press("Save", refuse="carl")
    player = Player.objects.get(key="ann")
    assert (sorted(player.refuses), player.most_games) == (["bob", "carl"], 9)


def test_addresses_added_elsewhere_stay(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/")
    player = world.player("ann")
    player.addresses.create(address="second@example.org", confirmed_at=NOW)
    ann.press("Save", addresses="ann@example.org third@example.org")
    assert "third@example.org" in ann.text
    assert "no longer" not in ann.text
    kept = ann.tree.xpath("//input[@id='addresses']/@value")
    assert kept == ["ann@example.org second@example.org"]


def test_off_is_no_name_in_a_list(world: Any, visit: Visit) -> None:
    world.player("bob")
    Player.objects.filter(key=world.player("ann").key).update(refuses=["bob"])
    ann = visit("ann")
    ann.go("/account/play/")
    ann.press("Save", refuse="bob off")
    assert Player.objects.get(key="ann").refuses == ["bob"]


def test_a_vacation_is_kept_beside_a_refused_field(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/play/")
    token = ann.tree.xpath("//main//input[@name='csrfmiddlewaretoken']/@value")[0]
    first = datetime.now(UTC).date() + timedelta(days=30)
    days = [("vacation", str(first)), ("vacation", str(first + timedelta(days=3)))]
    ann.send("/account/play/", [("csrfmiddlewaretoken", token), *days, ("limit", "many")])
    assert ann.status == 422
    assert "Your vacations" in ann.text
    assert ann.tree.xpath("//input[@name='vacation']/@value") == ["", ""]
    ann.press("Save", limit="8")
    assert ann.status == 200


def test_a_last_day_alone_stays_in_its_field(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/play/")
    token = ann.tree.xpath("//main//input[@name='csrfmiddlewaretoken']/@value")[0]
    days = [("vacation", ""), ("vacation", "2030-03-09")]
    ann.send("/account/play/", [("csrfmiddlewaretoken", token), *days])
    assert ann.status == 422
    assert ann.tree.xpath("//input[@name='vacation']/@value") == ["", "2030-03-09"]
    described = set(ann.tree.xpath("//input[@name='vacation']/@aria-describedby"))
    assert described == {"vacation-refused"}


def test_colours_that_lay_open_change_nothing_back(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/look/")
    form = ann.tree.xpath("//main//form[.//input[@name='was-mode']]")[0]
    fields = [*form.form_values(), ("mode", ""), ("palette", "safe")]
    Player.objects.filter(key="ann").update(colours="dark.wood", language="de")
    ann.send("/account/look/", list(dict(fields).items()))
    player = Player.objects.get(key="ann")
    assert (player.language, player.colours) == ("de", "dark.safe")


def test_language_and_colours_are_chosen_in_one_form(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/look/")
    token = ann.tree.xpath("//main//input[@name='csrfmiddlewaretoken']/@value")[0]
    chosen = [("language", "de"), ("mode", "dark"), ("palette", "safe")]
    ann.send("/account/look/", [("csrfmiddlewaretoken", token), *chosen])
    player = Player.objects.get(key="ann")
    assert (player.language, player.colours) == ("de", "dark.safe")
    assert "Gespeichert." in ann.text
    assert ann.tree.xpath("//html[@data-mode='dark' and @lang='de']")


def test_feeds_are_made_and_shown_to_their_owner_alone(world: Any, visit: Visit) -> None:
    world.player("bob")
    ann = visit("ann")
    ann.go("/account/more/")
    ann.press("Create feeds")
    key = Player.objects.get(key="ann").feed_key
    assert key
    assert key in ann.go("/account/more/")
    assert key not in visit("bob").go("/players/ann/")


def test_links_of_old_mails_lead_on(visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/")
    assert ann.tree.xpath("//input[@id='addresses']")
    assert ann.tree.xpath("//*[@id='passkeys']/a/@href") == ["/account/security/#passkeys"]


def test_challenge_form_has_labels_without_backticks_and_ticks_send_off(
    world: Any, visit: Visit
) -> None:
    world.player("bob")
    ann = visit("ann")
    ann.go("/games/druid/challenge/?with=bob")
    assert "`" not in ann.text
    (tick,) = ann.tree.xpath("//input[@name='--weekends']")
    assert (tick.get("type"), tick.get("value")) == ("checkbox", "off")
    form, _ = ann._form_of("Challenge")
    ann.send(
        form.get("action") or ann.path,
        [*ann._fields(form, {}), (tick.get("name"), tick.get("value"))],
    )
    assert "Saturdays and Sundays do not count" in ann.text
    # Of what is usually off, a tick sends `on`.
    ann.go("/games/druid/challenge/?with=bob")
    (tick,) = ann.tree.xpath("//input[@name='--claims']")
    assert (tick.get("type"), tick.get("value")) == ("checkbox", "on")


def test_yes_to_closing_on_a_page_of_before_deletes_nobody(world: Any, visit: Visit) -> None:
    before, ann = visit("ann"), visit("ann")
    before.type("signoff")
    ann.type("signoff forget")
    before.press("Yes, close my account")
    assert "There is no signoff to confirm" in before.text
    assert Player.objects.filter(key="ann", is_active=True).exists()


def test_who_is_deleted_may_be_asked_in_german(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.client.cookies["language"] = "de"
    ann.go("/account/more/")
    ann.press("Alle meine Daten löschen …")
    assert "Das kann nicht rückgängig gemacht werden." in ann.text
    ann.press("Ja, alle meine Daten löschen")
    assert "Deine Daten sind gelöscht" in ann.text


def test_the_puzzle_of_the_day_is_a_box_for_each_game_that_has_one(
    world: Any, visit: Visit
) -> None:
    ann = visit("ann")
    for is_on in (True, False):
        ann.go("/account/mail/")
        ann.press("Save", puzzle_visavis="on" if is_on else "")
        assert ann.status == 200, ann.text
        rows = PuzzleSubscription.objects.values_list("game", flat=True)
        assert list(rows) == (["visavis"] if is_on else [])
        ann.go("/account/mail/")
        (box,) = ann.tree.xpath("//input[@name='puzzle-visavis']")
        assert ("checked" in box.attrib) == is_on
