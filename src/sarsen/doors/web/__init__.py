"""The web door: pages, pictures and forms, usable without script.

`urls` has every address, with the function that answers it. Every form posts one command line
to `site.command_box`; `site.posted_lines` reads it, `site.replies` lays the reply out.
`site.visitors` knows who is logged in, `site.frame` what every page gets. No rules and no
database queries are here: the door asks `services`.
"""
