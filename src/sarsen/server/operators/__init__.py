"""The operators' pages: Django's admin, read-only, with deeds of `services.admin`.

They stand in the part `server`, which knows all others, because an admin is made of models,
and doors know none. Open `site` first, then `deeds`; `players`, `boards`, `post` and `log`
say what is shown of each table and what may be done to a row.
"""
