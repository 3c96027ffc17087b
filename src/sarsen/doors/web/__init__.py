"""The web door: pages and pictures, readable without script.

Open `urls` first: every address there is, and the file that answers it. Pages are
`home`, `games`, `boards`, `help_pages`, `mailbox`, `posting`, `unsubscribe`, `welcome`;
`pictures`, `showcase`, `prose`, `move_table`, `letters` and `writing` prepare what they
show or send; `nearby` says who may read caught mail. No database queries here and no
rules: it asks `services`.
"""
