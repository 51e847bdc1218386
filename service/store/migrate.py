"""Bring a database to the newest schema."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from service.store.errors import StoreVersionError
from service.store.schema import VERSION_TABLE

__all__ = ["migrate"]

_FOLDER = Path(__file__).parent / "migrations"
_ONE_THREAD = Lock()
"""What alembic runs finds its connection in a place that the whole process shares."""
_ALONE = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(811781)"}
"""How to be the only one who migrates, up to the end of the transaction."""


def migrate(engine: Engine) -> None:
    """Run the migrations that are missing, all or none; other processes wait meanwhile.

    :raises StoreVersionError: the database is newer than this program.
    :raises sqlalchemy.exc.SQLAlchemyError: the database cannot be reached or changed.
    """
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    with _ONE_THREAD, engine.begin() as connection:
        connection.exec_driver_sql(_ALONE[engine.dialect.name])
        config.attributes["connection"] = connection
        _check_version(connection, ScriptDirectory.from_config(config))
        command.upgrade(config, "head")


def _check_version(connection: Connection, scripts: ScriptDirectory) -> None:
    """:raises StoreVersionError: the database is of a version that has no script."""
    known = {script.revision for script in scripts.walk_revisions()}
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    for found in context.get_current_heads():
        if found not in known:
            raise StoreVersionError(found, scripts.get_current_head() or "")
