// @ts-check
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";

/**
 * @typedef {object} Order What was asked for.
 * @property {string} id the webhook-id
 * @property {string} postUrl
 * @property {string} postType post or reel
 * @property {number} likes
 *
 * @typedef {"open" | "done" | "refused"} State
 *
 * @typedef {Order & { receivedAt: string, state: State, closedAt: string | null, note: string | null }} KeptOrder
 *
 * @typedef {ReturnType<typeof openOrders>} OrderStore
 */

/**
 * Opens the orders, which are one SQLite file; it is made where there is none. Server and tool may have it open at the
 * same time. Times are ISO 8601 in GMT.
 *
 * @param {string} file
 */
export function openOrders(file) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new Database(file, { timeout: 5_000 });
  database.pragma("journal_mode = WAL");
  // A commit is on the disk: what was answered for outlives the process, and the machine.
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
   * @returns {"taken" | "repeated" | "full"}
   */
  function takeOnce({ id, postUrl, postType, likes }, now, dailyLikes) {
    // First: what was taken stays taken, also on a day that is full by now.
    if (find.get(id)) return "repeated";
    const receivedAt = now.toISOString();
    const midnight = `${receivedAt.slice(0, 10)}T00:00:00.000Z`;
    const { likes: today } = /** @type {{ likes: number }} */ (likesSince.get(midnight));
    if (today + likes > dailyLikes) return "full";
    insert.run(id, postUrl, postType, likes, receivedAt);
    return "taken";
  }

  return {
    /** Takes an order unless its id is known, or the likes of its GMT day would be more than `dailyLikes`. */
    take: database.transaction(takeOnce).immediate,

    /** Those that wait for somebody, the oldest first. */
    listOpen: () => /** @type {KeptOrder[]} */ (selectOpen.all()),

    /** All there ever were, the oldest first. */
    listAll: () => /** @type {KeptOrder[]} */ (selectAll.all()),

    /**
     * What became of an open order; false when there is no open one of this id.
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
