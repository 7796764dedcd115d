"""Conditional random fields over the letters of words, and over tokens in columns."""
