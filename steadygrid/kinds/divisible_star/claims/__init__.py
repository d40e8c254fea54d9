"""What an answer claims of its schedule on a star, judged anew."""
