// @ts-check
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";

/**
 * @typedef {object} Order An order from the site.
 * @property {string} id value of the webhook-id header
 * @property {string} postUrl
 * @property {string} postType "post" or "reel"
 * @property {number} likes number of ordered likes
 *
 * @typedef {"open" | "done" | "refused"} State
 *
 * @typedef {Order & { receivedAt: string, state: State, closedAt: string | null, note: string | null }} StoredOrder
 *
 * @typedef {ReturnType<typeof openOrders>} OrderStore
 */

/**
 * Opens the SQLite file with all orders, or creates the file. server.mjs and orders.mjs may use the file at
 * the same time. All times in the file are ISO 8601 strings in GMT.
 *
 * @param {string} file
 */
export function openOrders(file) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Orders are private. SQLite gives its other files the mode of this file.
  writeFileSync(file, "", { flag: "a", mode: 0o600 });
  chmodSync(file, 0o600);
  const database = new Database(file, { timeout: 5_000 });
  database.pragma("journal_mode = WAL");
  // SQLite waits until each commit is on the disk. So an accepted order survives a crash of the machine.
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
   * @param {number} dailyLikes maximum likes per GMT day
   * @returns {"accepted" | "repeated" | "full"}
   */
  function accept(order, now, dailyLikes) {
    database.exec("BEGIN IMMEDIATE");
    try {
      const outcome = acceptOnce(order, now, dailyLikes);
      database.exec("COMMIT");
      return outcome;
    } catch (error) {
      // A full disk already ended the transaction. A second ROLLBACK would throw, and hide the reason.
      if (database.inTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  /** @type {typeof accept} */
  function acceptOnce({ id, postUrl, postType, likes }, now, dailyLikes) {
    // Checks the id before the daily limit. If the site repeats an accepted order after the limit is
    // reached, the result must be "repeated".
    if (find.get(id)) return "repeated";
    const receivedAt = now.toISOString();
    const midnight = `${receivedAt.slice(0, 10)}T00:00:00.000Z`;
    const { likes: today } = /** @type {{ likes: number }} */ (likesSince.get(midnight));
    if (today + likes > dailyLikes) return "full";
    insert.run(id, postUrl, postType, likes, receivedAt);
    return "accepted";
  }

  return {
    /**
     * Stores a new order and returns "accepted". Returns "repeated" if an order with this id already exists.
     * Returns "full" if the order would exceed the daily limit.
     */
    accept,

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

    /** Throws an Error if the file cannot be read. */
    check: () => void find.get(""),

    /** Closes the file. */
    end: () => void database.close(),
  };
}
