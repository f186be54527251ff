"""Turns a build request into finished files: the stages of the engine, one after the other."""
