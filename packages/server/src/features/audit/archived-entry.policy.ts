import { z } from 'zod'
import type { ChainedEntry } from './audit-chain.policy.ts'

const ArchivedEntry = z.object({
  id: z.int(),
  entryId: z.string().nullable(),
  action: z.string(),
  actorId: z.string().nullable(),
  targetId: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime().transform((text) => new Date(text)),
  hash: z.string()
})

export function lineOf(entry: ChainedEntry & { hash: string }): string {
  const { id, entryId, action, actorId, targetId, ip, userAgent, metadata, createdAt, hash } = entry
  return JSON.stringify({ id, entryId, action, actorId, targetId, ip, userAgent, metadata, createdAt, hash })
}

export const entryOf = (line: string): ChainedEntry & { hash: string } => ArchivedEntry.parse(JSON.parse(line))
