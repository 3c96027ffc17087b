"""The mail door.

A mail is taken (`receive`), read into one frozen `ReadMail` (`parse`), and answered (`reply`);
letters are worded (`letters`) and handed to the relay (`send`).
"""
