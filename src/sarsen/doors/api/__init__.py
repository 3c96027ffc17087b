"""The API at `/api/v1/`: JSON over HTTP, for programs.

An operation authenticates its caller by a token, turns JSON into a command, performs it, and
answers with the reply as words and facts; a refusal becomes a problem document. The API
imports services, never the storage.
"""
