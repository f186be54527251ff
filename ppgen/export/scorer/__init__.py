"""The scorer page: the games into one HTML file that counts and scores them on a phone."""
