import { z } from 'zod'
import type { ChannelType } from '@panel/contract/notifications'

/** Encrypted part of a channel, by type. */
export const channelSecrets = {
  EMAIL: z.object({}),
  WEBHOOK: z.object({ url: z.string(), signingSecret: z.string() }),
  SLACK: z.object({ url: z.string() }),
  DISCORD: z.object({ url: z.string() }),
  TELEGRAM: z.object({ botToken: z.string(), chatId: z.string() }),
  NTFY: z.object({ url: z.string(), topic: z.string(), token: z.string().optional() }),
  GOTIFY: z.object({ url: z.string(), token: z.string() })
} as const satisfies Record<ChannelType, z.ZodType>

export type ChannelSecrets = { [Type in ChannelType]: z.infer<(typeof channelSecrets)[Type]> }
