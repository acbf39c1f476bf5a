/**
 * Time to connect to the database. It refuses a connection at once when it is down, so this is patience with one that is
 * busy: on a loaded machine, such as during the first start, it takes seconds to accept one.
 */
export const connectLimitMs = 30_000

/** A backend of PostgreSQL keeps in memory what it read about each table: after a start 15 MB, a new one has 3 MB. */
export const connectionLifetimeSeconds = 300
