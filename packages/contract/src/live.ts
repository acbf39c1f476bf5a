import { z } from 'zod'
import { deploymentStatuses } from './deployments.ts'

/**
 * What the live channel sends to an account's clients without being asked for: that something of theirs has changed. Its content is the
 * API's to give, under the API's permissions. By name, as Socket.IO has it.
 */
export const liveEvents = {
  'deployment:status': z.object({ projectId: z.string(), deploymentId: z.string(), status: z.enum(deploymentStatuses) })
} as const

export type LiveEventName = keyof typeof liveEvents
export type LiveEvents = { [Name in LiveEventName]: z.infer<(typeof liveEvents)[Name]> }
