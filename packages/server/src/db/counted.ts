import { sql } from 'drizzle-orm'

/** Selects the total row count, ignoring the limit, in each row. */
export const counted = sql<number>`(count(*) over ())::int`
