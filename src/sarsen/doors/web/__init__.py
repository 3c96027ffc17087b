"""The web door: pages, pictures and forms, usable without script.

Open `urls` first: every address there is, and the file that answers it. Every form posts
one command line to `commands`, the command box; `posted` reads it, `answers` and `tables`
lay the reply out. `speaker` says who is logged in, `logins` lets people in and out,
`drafts` and `stale` keep what could not be sent. Pages are `home`, `games`, `boards` (with
`desk` and `variations`), `my`, `challenges`, `players`, `reports`, `account`, `joining`,
`help_pages`, `mailbox`, `posting`, `unsubscribe`, `welcome`, `feeds`; `pictures`,
`showcase`, `prose`, `move_table`, `letters` and `writing` prepare what they show or send;
`nearby` says who may read caught mail. No database queries here and no rules: it asks
`services`.
"""
