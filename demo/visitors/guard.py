"""What stands between the network and Streamlit: headers that say what a page may do, and an end to what one session may upload."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+")
FILES_OF_A_SESSION, BYTES_OF_A_SESSION, BYTES_OF_ALL = 8, 48_000_000, 400_000_000
# Streamlit's page writes styles and scripts of its own into itself and makes components from blobs; nothing comes from another host.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' data: blob:; connect-src 'self' data: blob:; "
    "worker-src 'self' blob:; frame-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"referrer-policy", b"same-origin"),
)


class Guard:
    """ASGI middleware around the app."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                message = {**message, "headers": [*message["headers"], *(pair for pair in HEADERS if pair[0] not in there)]}
            await send(message)

        upload = UPLOAD.search(scope["path"]) if scope["method"] == "PUT" else None
        if upload and not _has_room(upload[1]):
            refusal = PlainTextResponse("This session has uploaded enough; remove a file, or load the page again.", 413)
            await refusal(scope, receive, with_headers)
        else:
            await self.app(scope, receive, with_headers)


def _has_room(session: str) -> bool:
    """Whether a session may upload one more file. Streamlit keeps what it was sent until the session ends, and bounds one file alone."""
    from streamlit import runtime
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

    held = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if not isinstance(held, MemoryUploadedFileManager):
        return True
    sizes = {owner: [len(file.data) for file in list(files.values())] for owner, files in list(held.file_storage.items())}
    own = sizes.get(session, [])
    return len(own) < FILES_OF_A_SESSION and sum(own) < BYTES_OF_A_SESSION and sum(map(sum, sizes.values())) < BYTES_OF_ALL
