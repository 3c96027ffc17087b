"""Every golden mail reads as its file says, and giants are refused."""

from __future__ import annotations

import base64
import itertools
import json
from dataclasses import asdict, replace

import pytest
from lxml import etree, html

from doors.mail.golden_mails import MAILS
from sarsen.core.errors import UserError
from sarsen.doors.mail.parse.headers import decode
from sarsen.doors.mail.parse.html_to_text import plain_tags
from sarsen.doors.mail.parse.mail import ReadMail, UnreadableMail, read_mail
from sarsen.doors.mail.parse.own_words import MAX_ROW
from sarsen.doors.mail.parse.parts import check_bytes
from sarsen.doors.mail.receive.delivery import deliver
from sarsen.language.grammar.grammar import MAX_TEXT_LENGTH

OWN_DOMAIN = "sarsen.example"
HEAD = b"From: ada@example.org\r\nSubject: Druid Board 123\r\n"


def result(raw: bytes) -> dict[str, object]:
    try:
        mail = read_mail(raw, own_domain=OWN_DOMAIN)
    except UnreadableMail as refusal:
        return {"refused": refusal.code}
    fields = asdict(mail)
    for name in ("rows", "written", "written_subject", "answered", "references", "signup_code"):
        del fields[name]
    if not mail.languages:
        del fields["languages"]
    fields["lines"] = mail.lines
    return {name: list(v) if isinstance(v, tuple) else v for name, v in fields.items()}


def read(name: str) -> ReadMail:
    return read_mail(MAILS[name].raw, own_domain=OWN_DOMAIN)


def refused(raw: bytes) -> str:
    with pytest.raises(UnreadableMail) as caught:
        read_mail(raw)
    assert isinstance(caught.value, UserError)
    assert caught.value.text.endswith((".", "larger."))
    assert caught.value.hint
    return caught.value.code


def text_mail(body: str) -> bytes:
    return HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + body.encode()


def page_mail(body: str) -> bytes:
    return HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n" + body.encode()


def test_every_golden_mail_reads_as_its_file_says() -> None:
    assert len(MAILS) > 150
    read_as = {name: result(mail.raw) for name, mail in MAILS.items()}
    expected = {name: json.loads(mail.fields) for name, mail in MAILS.items()}
    wrong = [name for name in MAILS if read_as[name] != expected[name]]
    assert [read_as[name] for name in wrong] == [expected[name] for name in wrong], wrong


def test_the_thread_of_a_mail_is_read() -> None:
    thread = b"References: <a@sarsen.example>\r\n <b@ada.example>\r\n"
    assert read_mail(thread + text_mail("play")).references == (
        "<a@sarsen.example>",
        "<b@ada.example>",
    )


def test_paragraphs_part_in_rows_and_not_in_lines() -> None:
    mail = read_mail(text_mail("\n\nchat Hello\n\n\nBob\nEve\n\n> old\n\n"))
    assert mail.rows == ("chat Hello", "", "Bob", "Eve")
    assert mail.lines == ("chat Hello", "Bob", "Eve")


def test_line_ends_make_no_difference() -> None:
    kinds = ("crlf", "bare-lf", "bare-cr")
    assert {replace(read(f"m09-{kind}"), message_id="") for kind in kinds} == {
        replace(read("m09-crlf"), message_id="")
    }


def test_an_answer_above_or_below_is_the_same_in_every_language() -> None:
    named = [name for name in MAILS if name.startswith(("f46-top-", "f46-bottom-"))]
    assert len(named) >= 28
    assert not [name for name in named if read(name).lines != ("b2-b4",)]


def test_old_moves_in_the_quoted_board_are_never_read() -> None:
    for name in MAILS:
        if name.startswith(("m06-", "f41-", "f44-", "f46-")) and "look-like" not in name:
            assert not {"F4", "c3", "1 c3 2 d4"} & set(read(name).lines), name


def test_an_empty_envelope_sender_marks_a_machine() -> None:
    raw = text_mail("b2-b4")
    assert read_mail(raw, envelope_sender="").machine == "null-sender"
    assert read_mail(raw, envelope_sender="<>").machine == "null-sender"
    assert read_mail(raw, envelope_sender="ada@example.org").machine == ""
    assert read_mail(raw, envelope_sender=None).machine == ""


def test_our_header_alone_marks_our_mail_only_where_no_domain_is_known() -> None:
    raw = b"X-Sarsen: notice\r\n" + text_mail("b2-b4")
    assert read_mail(raw).machine == "own-mail"
    assert read_mail(raw, own_domain=OWN_DOMAIN).machine == ""


def test_a_mail_that_went_in_circles_marks_a_machine() -> None:
    assert read_mail(b"Received: x\r\n" * 30 + text_mail("b2-b4")).machine == ""
    assert read_mail(b"Received: x\r\n" * 31 + text_mail("b2-b4")).machine == "too-many-hops"


def test_more_own_lines_than_anyone_writes_are_cut_and_said() -> None:
    mail = read_mail(text_mail("b2-b4\n" * 501))
    assert len(mail.lines) == 500
    assert mail.notes == ("Only the first 500 lines of the mail were read.",)
    assert read_mail(text_mail("b2-b4\n" * 500)).notes == ()


# Bounds.


def test_256_kilobytes_are_read_and_one_byte_more_is_refused() -> None:
    head = HEAD + b"Content-Type: application/zip\r\n\r\n"
    assert read_mail(head.ljust(256 * 1024, b"x")).attachments == 1
    assert refused(head.ljust(256 * 1024 + 1, b"x")) == "mail.size"


def test_a_header_block_over_64_kilobytes_is_refused() -> None:
    assert refused(b"X: " + b"x" * 65_536 + b"\r\n" + HEAD + b"\r\n") == "mail.headers"
    assert refused(b"X" * 200_000) == "mail.headers"


def test_500_header_lines_are_read_and_one_more_is_refused() -> None:
    assert read_mail(b"X: y\r\n" * 498 + HEAD + b"\r\n").sender == "ada@example.org"
    assert refused(b"X: y\r\n" * 499 + HEAD + b"\r\n") == "mail.headers"
    assert refused(b"X: y\r" * 499 + HEAD + b"\r\n") == "mail.headers"


@pytest.mark.parametrize("depth", [21, 50, 3000])
def test_parts_nested_too_deep_are_refused_before_they_are_parsed(depth: int) -> None:
    level = b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n'
    assert refused(HEAD + b"".join(level % (n, n) for n in range(depth))) == "mail.nesting"
    folded = (
        b"content-TYPE \r\n" + b"Content-Type:\r\n\t multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    )
    assert refused(HEAD + folded * depth) == "mail.nesting"


def test_nineteen_levels_are_read() -> None:
    level = b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n'
    raw = HEAD + b"".join(level % (n, n) for n in range(19)) + b"\r\nb2-b4\r\n"
    assert read_mail(raw).lines == ("b2-b4",)


def test_too_many_parts_are_refused() -> None:
    head = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    assert read_mail(head + b"--b\r\n\r\nb2-b4\r\n" * 99).lines == ("b2-b4",)
    assert refused(head + b"--b\r\n\r\nb2-b4\r\n" * 100) == "mail.parts"
    assert refused(head + b"--b\r\n\r\nx\r\n" * 10_000) == "mail.parts"
    unlike = b"".join(b"--b" + b" " * blanks + b"\r\n\r\nx\r\n" for blanks in range(400))
    assert refused(head + unlike) == "mail.parts"


def test_a_delivery_report_of_blank_lines_is_refused() -> None:
    head = HEAD + b"Content-Type: message/delivery-status\r\n\r\n"
    with pytest.raises(UnreadableMail, match="100 parts"):
        check_bytes(head + b"\r\n" * 100_000)


def test_more_text_than_the_bound_is_refused() -> None:
    assert refused(text_mail("chat " + "x" * 100_000)) == "mail.text"
    coded = base64.encodebytes(b"x\n" * 50_001)
    head = HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n"
    assert refused(head + coded) == "mail.text"


def test_an_address_of_signs_is_no_address(subtests: pytest.Subtests) -> None:
    signs = (b"(", b"((a", b"a:", b'"', b"<", b"[", b"@", b",", b"\\")
    fields, counts = (b"From", b"Reply-To"), (100, 1_000, 16_000)
    for field, sign, count in itertools.product(fields, signs, counts):
        with subtests.test(f"{field!r} {sign!r} {count}"):
            mail = read_mail(field + b": " + sign * count + b"\r\n\r\nb2-b4\r\n")
            assert (mail.sender, mail.lines) == ("", ("b2-b4",))


def test_ten_comments_beside_an_address_do_no_harm() -> None:
    assert read_mail(b"From: " + b"(x)" * 10 + b" ada@example.org\r\n\r\n").sender == (
        "ada@example.org"
    )


@pytest.mark.parametrize(
    "content_type",
    [
        b"multipart/mixed; " + b"a=b;" * 4_000,
        b'multipart/mixed; "' + b";" * 30_000,
        b"multipart/mixed; boundary*=\"a\x00b''x\"",
        b"multipart/mixed; boundary*0*=idna''x",
        b"multipart/mixed; boundary*=x; boundary*0=y; boundary*1=z",
        b"multipart/mixed; x*" + b"9" * 5_000 + b"=y",
    ],
)
def test_a_content_type_the_parser_chokes_on_never_reaches_it(content_type: bytes) -> None:
    assert refused(HEAD + b"Content-Type: " + content_type + b"\r\n\r\nb2-b4\r\n") == "mail.type"


@pytest.mark.parametrize(
    "field",
    [
        b"To: " + b"ada@example.org, " * 3_000,
        b"Cc: " + b"(" * 60_000,
        b"Subject: " + b"=?utf-8?q?a?= " * 3_000,
        b"Subject: " + b"=?x?q? " * 9_000,
        b"Subject: " + b"Re: [x] " * 7_000,
        b"References: " + b"<" * 60_000,
        b"Message-ID: <" + b"x" * 60_000 + b">",
        b"Content-Disposition: inline; " + b";" * 60_000,
        b"Content-Transfer-Encoding: " + b"x" * 60_000,
        b"Auto-Submitted: " + b"(" * 60_000,
    ],
)
def test_a_giant_field_is_read_or_left_out(field: bytes) -> None:
    raw = field + b"\r\nFrom: ada@example.org\r\nContent-Type: text/plain\r\n\r\nb2-b4\r\n"
    assert read_mail(raw).sender == "ada@example.org"


def test_html_nested_too_deep_or_of_too_many_elements_is_refused() -> None:
    assert refused(page_mail("<div>" * 40_000 + "b2-b4")) == "mail.html"
    assert refused(page_mail("<p>x</p>" * 11_000)) == "mail.html"
    assert read_mail(page_mail("<div>" * 100 + "b2-b4")).lines == ("b2-b4",)


def test_html_cannot_ask_for_padding_or_columns() -> None:
    padded = '<div style="padding-left: 99999999em; margin-top: 99999999em">b2-b4</div>'
    assert read_mail(page_mail(padded)).lines == ("b2-b4",)
    rows = "".join(f"<tr><td>{'x' * 40_000 if row == 0 else row}</td></tr>" for row in range(2_000))
    assert len(read_mail(page_mail(f"<table>{rows}</table>")).lines) == 500


def test_own_words_among_thousands_of_blank_lines_are_found() -> None:
    # The library's own reader needs seconds for these.
    assert read_mail(text_mail("\n" * 19_000 + "b2-b4")).lines == ("b2-b4",)


def test_options_and_thanks_are_not_taken_for_a_signature() -> None:
    # The library's own reader drops both.
    lines = ("druid challenge camb ada", "-nogaps", "thanks, Ada", "chat hello")
    assert read_mail(text_mail("\n".join(lines))).lines == lines


def test_a_note_of_an_attachment_is_said_once() -> None:
    assert read("m12-attachment").notes == ("2 attachments were ignored.",)


# What bounds the work: each was seconds, or a recursion without end.


@pytest.mark.parametrize("word", ["a", "abcde", "=", "a=b="])
def test_f43_an_encoded_word_that_decodes_to_nothing_is_read_as_it_stands(word: str) -> None:
    raw = f"From: a@b.example\nSubject: =?utf-8?b?{word}?= b2\n\n".encode()
    assert "b2" in read_mail(raw, own_domain="x").subject


@pytest.mark.parametrize("charset", ["utf-7", "UTF_7"])
def test_f42_half_a_surrogate_pair_is_read_as_a_sign_that_can_be_sent_again(charset: str) -> None:
    assert decode(b"b2 +2D0- c3", charset) == "b2 \N{REPLACEMENT CHARACTER} c3"


def test_f38_a_subject_that_nobody_types_is_left_out_whole() -> None:
    mail = read_mail(b"Subject: resign" + b" x" * 2_000 + b"\r\nFrom: ada@example.org\r\n\r\nb2-b4")
    assert (mail.subject, mail.lines) == ("", ("b2-b4",))
    assert read_mail(b"Subject: chat" + b" x" * 1_900 + b"\r\n\r\n").subject.startswith("chat x x")


def test_m13_more_lines_than_a_mail_has_are_refused() -> None:
    assert read_mail(HEAD + b"\r\nb2-b4" + b"\r\n" * 19_000).lines == ("b2-b4",)
    assert refused(HEAD + b"\r\nb2-b4" + b"\r\n" * 20_000) == "mail.lines"
    assert refused(HEAD + b"\r\nb2-b4" + b"\r" * 20_000) == "mail.lines"


def test_f38_header_lines_of_parts_are_bounded() -> None:
    head = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    assert read_mail(head + b"X: y\r\n" * 9_000 + b"\r\nb2-b4\r\n").lines == ("b2-b4",)
    assert refused(head + b"X: y\r\n" * 10_000 + b"\r\nb2-b4\r\n") == "mail.lines"


def test_f44_five_thousand_lines_of_a_mail_are_looked_at() -> None:
    mail = read_mail(text_mail("> old\n" * 4_990 + "b2-b4\n"))
    assert (mail.lines, mail.notes) == (("b2-b4",), ())
    mail = read_mail(text_mail("> old\n" * 5_000 + "b2-b4\n"))
    assert mail.lines == ()
    assert mail.notes == ("Only the first 5000 lines of the mail were looked at.",)


def test_f39_three_pages_of_a_mail_are_looked_at() -> None:
    head = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    empty = b"--b\r\nContent-Type: text/html\r\n\r\n<p></p>\r\n"
    words = empty.replace(b"<p>", b"<p>b2-b4")
    assert read_mail(head + empty * 2 + words).lines == ("b2-b4",)
    assert read_mail(head + empty * 3 + words).lines == ()
    assert read_mail(head + empty * 3 + b"--b\r\n\r\nb2-b4\r\n").lines == ("b2-b4",)


def test_f41_nine_thousand_quotations_are_refused_and_two_thousand_are_read() -> None:
    quote = "<blockquote>F4</blockquote>"
    assert refused(page_mail("b2-b4" + quote * 9_000)) == "mail.html"
    assert read_mail(page_mail("b2-b4" + quote * 2_000)).lines == ("b2-b4",)


@pytest.mark.parametrize(
    "attributes",
    [
        " ".join(f"a{number}=x" for number in range(5_000)),
        " ".join(f"a{number}" for number in range(5_000)),
        " ".join(f"a{number}='>'" for number in range(5_000)),
        " ".join(f'a{number}="<p>"' for number in range(5_000)),
        " ".join(f"id={number}" for number in range(5_000)),
        " ".join(f"a{number}<b" for number in range(5_000)),
    ],
)
def test_f38_no_tag_of_thousands_of_attributes_reaches_the_parser(attributes: str) -> None:
    for end in (">", "", "'>", '">'):
        plain = plain_tags(f"<p {attributes}{end}b2-b4")
        page = html.document_fromstring(plain)
        assert max(len(element.attrib) for element in page.iter(etree.Element)) <= 3
        assert len(plain) < 600_000


def test_f37_brackets_in_to_are_no_recipients_at_the_pipe() -> None:
    with pytest.raises(UserError) as caught:
        deliver([MAILS["f37-5000-brackets-in-to"].raw], None, ())
    assert caught.value.code == "not-ours"


def test_m09_a_line_longer_than_any_command_is_cut_and_still_too_long() -> None:
    # Found by the fuzzer: quoting fifty thousand letters back took half a second.
    mail = read_mail(text_mail("chat " + "x" * 90_000))
    assert [len(line) for line in mail.lines] == [MAX_ROW]
    assert MAX_ROW > MAX_TEXT_LENGTH


def test_m09_a_line_that_is_cut_at_a_blank_ends_with_a_word() -> None:
    # Found by the fuzzer.
    mail = read_mail(text_mail("chat " + "x" * (MAX_ROW - 6) + " y" * 900))
    assert [line[-1:] for line in mail.lines] == ["x"]
