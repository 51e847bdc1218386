"""Tables that people share: sessions with their clock, their journal, their sockets and their camera; no HTTP."""

from service.hub.camera import CameraSession
from service.hub.clocks import ClientClock, Measured, Ping
from service.hub.errors import HubError
from service.hub.hub import Created, Hub
from service.hub.invitations import Invitation
from service.hub.journal import entry_text
from service.hub.keys import NewKey, TableKeys
from service.hub.messages import Close, Closing, Message, MessageKind
from service.hub.session import Session
from service.hub.setup import TableSetup
from service.hub.state import DisputeState, TableState
from service.hub.subscription import Subscription
from service.hub.visitors import Changed, Page, Visitor

__all__ = [
    "CameraSession",
    "Changed",
    "ClientClock",
    "Close",
    "Closing",
    "Created",
    "DisputeState",
    "Hub",
    "HubError",
    "Invitation",
    "Measured",
    "Message",
    "MessageKind",
    "NewKey",
    "Page",
    "Ping",
    "Session",
    "Subscription",
    "TableKeys",
    "TableSetup",
    "TableState",
    "Visitor",
    "entry_text",
]
