import { sql } from 'drizzle-orm'

/** How many rows there are with those behind the limit, beside each of those before it. */
export const counted = sql<number>`(count(*) over ())::int`
