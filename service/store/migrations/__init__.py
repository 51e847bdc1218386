"""Migrations of the database, run by alembic whenever a store is opened."""
