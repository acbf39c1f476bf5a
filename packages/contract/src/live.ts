import { z } from 'zod'
import { deploymentStatuses } from './deployments.ts'
import { ErrorBody, ErrorCode } from './errors.ts'
import { uptimeStates } from './uptime-checks.ts'

/**
 * What the live channel sends to an account's clients without being asked for: that something of theirs has changed. Its content is the
 * API's to give, under the API's permissions. By name, as Socket.IO has it.
 */
export const liveEvents = {
  uptime: z.object({ projectId: z.string(), checkId: z.string(), state: z.enum(uptimeStates) }),
  'deployment:status': z.object({ projectId: z.string(), deploymentId: z.string(), status: z.enum(deploymentStatuses) })
} as const

export type LiveEventName = keyof typeof liveEvents
export type LiveEvents = { [Name in LiveEventName]: z.infer<(typeof liveEvents)[Name]> }

/** How `subscribe:<name>` is answered to a client that asks for an answer. */
export const LiveAnswer = z.union([
  z.object({ ok: z.literal(true), id: z.string() }),
  z.object({
    ok: z.literal(false),
    error: z.object({
      code: ErrorCode,
      message: z.string(),
      details: ErrorBody.shape.details
    })
  })
])
export type LiveAnswer = z.infer<typeof LiveAnswer>

/** Sent as `ended:<name>`: a subscription has ended, without `error` as there is nothing more to come. */
export const LiveEnded = z.object({
  id: z.string(),
  error: z.object({ code: ErrorCode, message: z.string() }).optional()
})
export type LiveEnded = z.infer<typeof LiveEnded>
