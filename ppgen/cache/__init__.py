"""What is kept between runs to be faster. Nothing that is made depends on it: without it all is made anew."""
