"""What people see: the dealer's screen."""
