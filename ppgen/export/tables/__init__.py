"""A set for virtual tables: Tabletop Simulator, Tabletopia."""
