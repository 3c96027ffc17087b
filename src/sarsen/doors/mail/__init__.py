"""The mail door.

Open `reading` first: bytes in, one frozen `ReadMail` out. It leans on `bounds`
(what is refused unread), `headers`, `bodies` (which part speaks), `pages` (HTML
as text), `quotes` (whose words they are), `machines` (who is never answered)
and `charsets`. These need neither Django nor a database.
"""
