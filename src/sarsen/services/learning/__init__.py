"""What players learn: how far they are in lessons, and the answers to their tries."""
