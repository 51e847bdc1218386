"""One file a version, oldest first by name; a file that was released is never changed."""
