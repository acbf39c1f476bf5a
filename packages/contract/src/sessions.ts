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

export const SessionMove = z
  .object({
    url: z.string().meta({ description: 'To open in the browser within a minute; it works once.' })
  })
  .meta({ id: 'SessionMove' })
export type SessionMove = z.infer<typeof SessionMove>

export const TakeSession = z.strictObject({
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .meta({ description: 'The part after # of the address.' })
})
export type TakeSession = z.infer<typeof TakeSession>
