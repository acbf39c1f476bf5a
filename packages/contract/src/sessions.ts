import { z } from 'zod'
import { pageQuery, Pagination, Timestamp } from './common.ts'

export const SessionId = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

export const SessionView = z
  .object({
    id: SessionId,
    current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    expiresAt: Timestamp
  })
  .meta({ id: 'Session' })
export type SessionView = z.infer<typeof SessionView>
export const SessionList = z.object({ sessions: z.array(SessionView), pagination: Pagination })
export type SessionList = z.infer<typeof SessionList>
export const SessionQuery = z.object(pageQuery(20, 100))
export type SessionQuery = z.infer<typeof SessionQuery>
