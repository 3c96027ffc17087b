"""The web door: pages, pictures and forms, usable without script.

`urls` has every address, with the function that answers it. `frame` has what all rooms use: who
the visitor is, the reading of a posted form (`posted_forms`), its answer (`answers`, `replies`),
pictures, tables, styles. A form posts the fields of one command, mostly to `site.command_box`. No
rules and no database queries are here: the door asks `services`.
"""
