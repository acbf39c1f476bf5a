import { sql } from 'drizzle-orm'

export const counted = sql<number>`(count(*) over ())::int`
