"""Migrations: what they leave is what the code expects, and several programs may open one database."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, inspect

from service.store import Store, StoreGoneError, StoreSettings, StoreVersionError
from service.store.address import engine_of, parsed
from service.store.schema import METADATA, VERSION_TABLE

ROOT = Path(__file__).resolve().parents[1]
OPENING = """
import sys
from service.store import Store
print("ready", flush=True)
sys.stdin.read(1)
Store.open(sys.argv[1])._close()
"""


@pytest.fixture
def engine(database: str) -> Engine:
    """The engine of a database without a schema."""
    return engine_of(parsed(database), StoreSettings())


def test_the_migrated_schema_is_that_of_the_code(database: str, engine: Engine) -> None:
    Store.open(database)._close()
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"compare_type": True, "compare_server_default": True, "version_table": VERSION_TABLE},
        )
        differences = compare_metadata(context, METADATA)
        keys = {table: inspect(connection).get_pk_constraint(table)["constrained_columns"] for table in METADATA.tables}
    engine.dispose()
    assert differences == []
    assert keys == {name: [column.name for column in table.primary_key] for name, table in METADATA.tables.items()}


def test_a_database_of_a_newer_program_is_left_alone(database: str, engine: Engine) -> None:
    Store.open(database)._close()
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")  # noqa: S608
    with pytest.raises(StoreVersionError, match=r"'9999'.*'0001'"):
        Store.open(database)
    engine.dispose()


def test_a_migration_that_breaks_leaves_nothing(database: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE entries (mine INTEGER)")
    with pytest.raises(StoreGoneError, match="already exists"):
        Store.open(database)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["entries"]
    engine.dispose()


def test_several_programs_can_open_a_new_database_at_the_same_time_from_anywhere(database: str, tmp_path: Path) -> None:
    programs = [
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", OPENING, database],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("!")
        program.stdin.flush()
    assert [(program.communicate()[1], program.returncode) for program in programs] == [("", 0)] * 3
