"""What the commands have to say, one format a file; each is a pure function of findings and results."""
