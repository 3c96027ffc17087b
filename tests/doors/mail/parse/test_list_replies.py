"""Answers below and between quotations of other people, as they stand on mailing lists.

Written anew in the shapes of list mail of thirty years; no letter of ours is known here.
"""

from __future__ import annotations

import pytest

from sarsen.doors.mail.parse.own_words import own_words

HEADINGS = """
On Mon, 26 Aug 2002, Foo Bar wrote:
On Mon, 26 Aug 2002 10:12:13 -0700, Foo Bar <foo@bar.example> said:
On Mon, Aug 26, 2002 at 10:12:13AM +0100, Foo Bar mentioned:
On 26 Aug 2002 at 10:12, Foo Bar wrote:
On Monday 26 August 2002 10:12 am, Foo Bar wrote:
On Monday, August 26, 2002, at 10:12 AM, Foo Bar wrote:
On 26-Aug-2002 Foo Bar wrote:
On Mon, 2002-08-26 at 10:12, Foo Bar wrote:
On 2002.08.26, Foo wrote
On Aug 26, Foo Bar wrote:
At 10:12 AM 8/26/2002 -0700, you wrote:
At 10:12 -0700 8/26/02, Foo Bar wrote:
Foo Bar wrote:
Foo Bar <foo@bar.example> wrote:
Foo Bar (foo@bar.example) wrote:
"Foo Bar" <foo@bar.example> writes:
foo@bar.example (Foo Bar) writes:
foo@bar.example said:
Foo Bar writes:
Foo Bar wrote on Monday, 26 August:
Foo Bar spake thusly:
Foo Bar did say:
* Foo Bar <foo@bar.example> [020826 10:12]:
* Foo Bar (foo@bar.example) wrote:
+ Foo Bar <foo@bar.example>:
Once upon a time, Foo wrote :
This one time, at band camp, Foo Bar wrote:
Quoting Foo Bar (foo@bar.example):
According to Foo Bar:
begin  Foo Bar  quotation:
Thus spake Foo Bar (foo@bar.example):
[Foo Bar]
[ Foo Bar, 26 Aug 2002 ]
In message <20020826.1@bar.example>, Foo Bar writes:
In article <20020826.1@bar.example>, Foo Bar wrote:
Foo Bar a écrit :
Le lundi 26 août 2002, Foo Bar a écrit :
Foo Bar schrieb:
Am Montag, 26. August 2002 10:12 schrieb Foo Bar:
Foo Bar <foo@bar.example> schrieb am 26.08.02:
Foo Bar skrev:
El lun, 26 de ago 2002, Foo Bar escribió:
Il lun, 2002-08-26 alle 10:12, Foo Bar ha scritto:
Foo Bar kirjoitti:
W liście z pon, 26-08-2002, Foo Bar pisze:
Previously, I (Foo Bar) wrote:
Foo Bar wrote, quoting me:
This is what Foo Bar said about it:
""".strip().splitlines()
WRAPPED = """
On Mon, 26 Aug 2002 10:12:13 -0700
Foo Bar <foo@bar.example> wrote:

On Mon, Aug 26, 2002 at 10:12 AM, Foo Bar <
foo@bar.example> wrote:

On Mon, Aug 26, 2002 at 10:12 AM, Foo Bar With Several Names
<foo@bar.example> wrote:

In message <20020826.1@bar.example>, Foo Bar
<foo@bar.example> writes

In article <20020826.1@bar.example>,
 Foo Bar <foo@bar.example> wrote:

Foo Bar <foo@bar.example> schrieb am 26. August 2002
um 10:12 Uhr:

Hello Foo,

Monday, August 26, 2002, 10:12:13 AM, you wrote:

----- Original Message -----
From: "Foo Bar" <foo@bar.example>
To: <list@bar.example>
Sent: Monday, August 26, 2002 10:12 AM
Subject: Re: [list] Things

-----Original Message-----
From: Foo Bar [mailto:foo@bar.example]
Sent: Monday, August 26, 2002 10:12 AM
To: list@bar.example
Subject: Things
"""
QUOTES = (
    "> What is this?\n> Is it known?\n",
    "> > Older: words\n> What is this?\n",
    " > What is this?\n > Is it known?\n",
    ">What is this?\n>\n>Is it known?\n",
)
ANSWER = "It is known.\n\nSee you,\nAnn"


def wrapped() -> list[str]:
    found: list[str] = []
    for part in WRAPPED.strip().split("\n\n"):
        joins = part.startswith("Monday, August")  # with its greeting, a blank row above
        found[-1:] = [f"{found[-1]}\n\n{part}"] if joins else [*found[-1:], part]
    return found


def rows(text: str) -> list[str]:
    return [row for row in own_words(text)[0] if row]


def test_answer_below_a_quotation_is_read() -> None:
    expected = ANSWER.replace("\n\n", "\n").split("\n")
    wrong = []
    for heading in [*HEADINGS, *wrapped()]:
        for quote in QUOTES:
            body = f"{heading}\n{quote}\n{ANSWER}\n"
            found = [row for row in rows(body) if not row.startswith("Hello")]
            if found != expected:
                wrong.append((heading, found))
    assert wrong == []


def test_answers_between_quotations_are_read_in_order() -> None:
    text = "On Mon, 26 Aug 2002, Foo wrote:\n> One?\n\nYes.\n\n> Two?\nNo.\n> Three?\n\nPerhaps.\n"
    assert rows(text) == ["Yes.", "No.", "Perhaps."]


@pytest.mark.parametrize("greeting", ["Hi,", "Hi Foo,", "Hello all!", "Foo,", "Hallo zusammen,"])
def test_answer_below_a_greeting_and_a_quotation_is_read(greeting: str) -> None:
    text = f"{greeting}\n\nFoo Bar wrote:\n> One?\n\n{ANSWER}"
    assert rows(text) == [greeting, "It is known.", "See you,", "Ann"]


@pytest.mark.parametrize("mark", ["FB> ", "foo> ", "| ", ": ", "% ", "» "])
def test_other_marks_are_known_below_a_heading(mark: str) -> None:
    text = f"Foo Bar wrote:\n{mark}One?\n{mark}Two?\n\n{ANSWER}"
    assert rows(text) == ["It is known.", "See you,", "Ann"]


def test_initials_need_no_heading() -> None:
    assert rows(f"FB> One?\nFB> Two?\n\n{ANSWER}") == ["It is known.", "See you,", "Ann"]


@pytest.mark.parametrize(
    "footer",
    [
        "_______________________________________________\nList mailing list\nlist@bar.example\n"
        "http://bar.example/mailman/listinfo/list",
        "-------------------------------------------------------\nThis list is sponsored by: Foo\n"
        "http://bar.example/\n_______________________________________________\nList mailing list",
        "-- \nAnn Example\nhttp://ann.example/",
    ],
)
def test_footer_of_a_list_is_no_answer(footer: str) -> None:
    text = f"Foo Bar wrote:\n> One?\n\n{ANSWER}\n\n{footer}\n"
    assert rows(text) == ["It is known.", "See you,", "Ann"]
