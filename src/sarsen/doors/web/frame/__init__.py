"""What all rooms of the web door use: visitors, forms, answers, styles, pictures and tables."""
