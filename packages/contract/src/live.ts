import { z } from 'zod'
import { deploymentStatuses } from './deployments.ts'
import { NotificationKind } from './notifications.ts'

/**
 * What the live channel sends to an account's clients without being asked for: that something of theirs has changed. Its content is the
 * API's to give, under the API's permissions. By name, as Socket.IO has it.
 */
export const liveEvents = {
  'deployment:status': z.object({
    projectId: z.string(),
    deploymentId: z.string(),
    status: z.enum(deploymentStatuses)
  }),
  /** Without an id where several were read, without a kind where nothing is new. */
  notification: z.object({ id: z.string().nullable(), kind: NotificationKind.nullable(), unread: z.int() })
} as const

export type LiveEventName = keyof typeof liveEvents
export type LiveEvents = { [Name in LiveEventName]: z.infer<(typeof liveEvents)[Name]> }
