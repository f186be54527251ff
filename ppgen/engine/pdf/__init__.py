"""Sheets and faces into PDF."""
