"""A table with simulated people: they touch what people touch, and know what people see."""
