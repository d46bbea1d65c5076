"""Receives the orders of docs/delivery.md and stores them in SQLite. Python 3.9 or later, without packages.

WEBHOOK_SECRET=whsec_... ORDERS_FILE=orders.db PORT=3100 python3 examples/receiver.py
"""

import base64, contextlib, hashlib, hmac, json, os, re, sqlite3, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [each.strip() for each in os.environ.get("WEBHOOK_SECRET", "").split(",")]  # "new,old" while it changes
if not all(re.fullmatch("whsec_[A-Za-z0-9+/]{32,}={0,2}", each) for each in SECRETS):
    raise SystemExit("WEBHOOK_SECRET: each secret must be whsec_ and at least 24 bytes of base64")
KEYS = [base64.b64decode(each.removeprefix("whsec_") + "==") for each in SECRETS]
FILE = os.environ.get("ORDERS_FILE", "orders.db")
# The texts of docs/order.schema.json, which describes all fields.
TEXTS = {
    "orderId": r"[0-9A-Z]{4}(-[0-9A-Z]{4}){2}",
    "postId": r"[A-Za-z0-9_-]{1,39}",
    "postType": r"post|reel",
    "postUrl": r"https://www\.instagram\.com/p/[A-Za-z0-9_-]{1,39}/",
}


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # Seconds without data, after which the connection ends.

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if not 0 <= length <= 16_384:
            return self.reply(413)
        body = self.rfile.read(length)
        if not self.is_signed(body):
            return self.reply(401)
        try:
            message = json.loads(body)
            if message["type"] == "connection.test":
                return self.reply(204)
            data = message["data"]
            is_order = message["type"] == "likes.requested" and data["orderId"] == self.headers["webhook-id"]
            is_order = is_order and all(re.fullmatch(pattern, data[name]) for name, pattern in TEXTS.items())
            is_order = is_order and type(data["likes"]) is int
        except (ValueError, KeyError, TypeError):
            is_order = False
        if not is_order:
            return self.reply(422)
        # An error, for example a full disk, ends the connection, and the site sends the order again.
        with sqlite3.connect(FILE) as database:
            order = (data["orderId"], data["postUrl"], data["likes"])
            is_new = database.execute("INSERT OR IGNORE INTO orders VALUES (?, ?, ?)", order).rowcount == 1
        self.reply(200 if is_new else 409, json.dumps({"reference": data["orderId"]}))

    def is_signed(self, body):
        time_sent = self.headers.get("webhook-timestamp", "")
        if not re.fullmatch("[0-9]{1,12}", time_sent) or abs(time.time() - int(time_sent)) > 300:
            return False
        signed = f"{self.headers.get('webhook-id')}.{time_sent}.".encode() + body
        digests = [hmac.new(key, signed, hashlib.sha256).digest() for key in KEYS]
        expected = [b"v1," + base64.b64encode(digest) for digest in digests]
        given = self.headers.get("webhook-signature", "").encode().split()
        return any(hmac.compare_digest(each, one) for each in given for one in expected)

    def reply(self, status, text=""):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args):
        with contextlib.suppress(OSError):  # A log that cannot be written must not cost the response.
            super().log_message(*args)

    def do_GET(self):
        self.reply(405)

    do_DELETE = do_HEAD = do_PATCH = do_PUT = do_GET


with sqlite3.connect(FILE) as database:
    database.execute("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, url TEXT, likes INTEGER)")
ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3100))), Receiver).serve_forever()
