"""What operators do: bar players, undo forfeits, look after the mail, announce.

`roles` says who is one; `overview` what needs an eye. Every deed is a function here that
takes who does it and why; `server.operators` shows the pages, and logs the deed.
"""
