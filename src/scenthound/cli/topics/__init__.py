"""`scenthound topics DIR …`: show the topic tree and edit it."""
