// @ts-check
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";

/**
 * @typedef {object} Order An order as the site sends it.
 * @property {string} id the webhook-id
 * @property {string} postUrl
 * @property {string} postType post or reel
 * @property {number} likes
 *
 * @typedef {"open" | "done" | "refused"} State
 *
 * @typedef {Order & { receivedAt: string, state: State, closedAt: string | null, note: string | null }} StoredOrder
 *
 * @typedef {ReturnType<typeof openOrders>} OrderStore
 */

/**
 * Opens the SQLite file of the orders, or creates it. Server and tool may use it at the same time. Times are ISO 8601
 * in GMT.
 *
 * @param {string} file
 */
export function openOrders(file) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new Database(file, { timeout: 5_000 });
  database.pragma("journal_mode = WAL");
  // Each commit is on the disk before the response is sent, so an accepted order survives a crash of the machine.
  database.pragma("synchronous = FULL");
  database.exec(`
    CREATE TABLE IF NOT EXISTS orders (
      id TEXT PRIMARY KEY,
      postUrl TEXT NOT NULL,
      postType TEXT NOT NULL,
      likes INTEGER NOT NULL,
      receivedAt TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'open',
      closedAt TEXT,
      note TEXT
    ) STRICT;
    CREATE INDEX IF NOT EXISTS ordersByTime ON orders (receivedAt);
  `);
  const find = database.prepare("SELECT state FROM orders WHERE id = ?");
  const likesSince = database.prepare(
    "SELECT coalesce(sum(likes), 0) AS likes FROM orders WHERE receivedAt >= ?",
  );
  const insert = database.prepare(
    "INSERT INTO orders (id, postUrl, postType, likes, receivedAt) VALUES (?, ?, ?, ?, ?)",
  );
  const selectOpen = database.prepare("SELECT * FROM orders WHERE state = 'open' ORDER BY receivedAt, id");
  const selectAll = database.prepare("SELECT * FROM orders ORDER BY receivedAt, id");
  const close = database.prepare(
    "UPDATE orders SET state = ?, closedAt = ?, note = ? WHERE id = ? AND state = 'open'",
  );

  /**
   * @param {Order} order
   * @param {Date} now
   * @param {number} dailyLikes
   * @returns {"accepted" | "repeated" | "full"}
   */
  function acceptOnce({ id, postUrl, postType, likes }, now, dailyLikes) {
    // Checked first, because an accepted order stays accepted when the day is full.
    if (find.get(id)) return "repeated";
    const receivedAt = now.toISOString();
    const midnight = `${receivedAt.slice(0, 10)}T00:00:00.000Z`;
    const { likes: today } = /** @type {{ likes: number }} */ (likesSince.get(midnight));
    if (today + likes > dailyLikes) return "full";
    insert.run(id, postUrl, postType, likes, receivedAt);
    return "accepted";
  }

  return {
    /** Stores an order unless its id exists, or the likes of its GMT day would exceed `dailyLikes`. */
    accept: database.transaction(acceptOnce).immediate,

    /** Returns the open orders, oldest first. */
    listOpen: () => /** @type {StoredOrder[]} */ (selectOpen.all()),

    /** Returns all orders, oldest first. */
    listAll: () => /** @type {StoredOrder[]} */ (selectAll.all()),

    /**
     * Closes an open order. Returns false when no open order has this id.
     *
     * @param {string} id
     * @param {"done" | "refused"} state
     * @param {string | null} note
     * @param {Date} now
     */
    close: (id, state, note, now) => close.run(state, now.toISOString(), note, id).changes === 1,

    /** Throws when the file cannot be read. */
    check: () => void find.get(""),

    end: () => void database.close(),
  };
}
