"""From items and a sheet spec to sheets: what lies where on which side, and how it is cut. Pure, no PDF."""
