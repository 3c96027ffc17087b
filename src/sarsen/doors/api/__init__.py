"""The API door: JSON over HTTP at `/api/v1/`, for programs.

Open `api.py` first. An operation proves its speaker by a token (`proof.py`), makes a
command from JSON (`saying.py`), has it performed, and answers with the reply in words and
as facts (`answering.py`); a refusal becomes a problem (`problems.py`). Imports services,
never the store.
"""
