import { z } from 'zod'
import { Timestamp } from './common.ts'

export const SessionId = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

export const SessionView = z
  .object({
    id: SessionId,
    current: z.boolean().meta({ description: 'Whether this request came with it.' }),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    expiresAt: Timestamp
  })
  .meta({ id: 'Session' })
export type SessionView = z.infer<typeof SessionView>
export const SessionList = z.object({ sessions: z.array(SessionView) })
