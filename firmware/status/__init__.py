"""What screens and tools may see of a table: plain values, redacted where they are made."""
