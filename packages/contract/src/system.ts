import { z } from 'zod'

export const PartStatus = z.object({
  status: z.enum(['ok', 'missing', 'unreachable']),
  remedy: z.string().optional().meta({ description: 'What to do about a part that is not ok.' })
})
export type PartStatus = z.infer<typeof PartStatus>

export const Health = z
  .object({ status: z.literal('ok'), version: z.string(), parts: z.record(z.string(), PartStatus) })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof Health>
