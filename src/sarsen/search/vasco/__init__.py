"""What is known of Vasco beyond its kernel: `pools` finds the value of a small pool."""
