"""The web door: pages, pictures and forms, all usable without script.

Open `urls` first: every address, and the view that answers it. A folder holds one room of
the site with its views; templates lie in folders of the same names. A form posts a command
line or facts, which become a command. No queries and no rules here: views ask `services`.
"""
