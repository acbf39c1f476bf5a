import { DrizzleQueryError } from 'drizzle-orm/errors'

/** Message of any thrown value for logs. Drizzle's own message is replaced, because it contains bound values. */
export function messageOf(error: unknown): string {
  if (error instanceof DrizzleQueryError) return `query failed: ${messageOf(error.cause ?? 'no reason')}`
  return error instanceof Error ? error.message : String(error)
}
