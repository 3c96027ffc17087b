"""The operators' pages: Django's admin, read-only, with admin actions of `services.admin`.

They stand in the part `server`, which knows all others, because an admin is made of models,
and doors know none. Open `site` first, then `actions`; `players`, `boards`, `post` and `log`
say what is shown of each table and what may be done to a row.
"""
