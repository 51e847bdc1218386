"""The API description as a page for people: one document, made on the server, without a script."""

from service.api_page.page import add_api_page, page_of

__all__ = ["add_api_page", "page_of"]
