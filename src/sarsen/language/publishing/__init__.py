"""What is written to everybody: the news that broadcasts become."""
