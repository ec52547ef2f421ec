"""What runs on the controller under the table."""
