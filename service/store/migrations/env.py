"""What alembic runs: the migrations, on the connection and in the transaction that it is given."""

from alembic import context

from service.store.schema import METADATA, VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"], target_metadata=METADATA, version_table=VERSION_TABLE
)
with context.begin_transaction():
    context.run_migrations()
