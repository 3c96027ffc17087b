"""The operators' pages: Django's admin, read-only, with the admin actions of `services.admin`.

They stand in `server` because an admin is made of models, which doors do not import.
"""
