"""Front page and lobby, the command box, statistics, caught mail, and the installed app."""
