import { DrizzleQueryError } from 'drizzle-orm/errors'

/** The message of anything thrown, for a log line or a deployment's log. Drizzle's own carries the bound values: it is left out. */
export function messageOf(error: unknown): string {
  if (error instanceof DrizzleQueryError) return `a query failed: ${messageOf(error.cause ?? 'no reason')}`
  return error instanceof Error ? error.message : String(error)
}
