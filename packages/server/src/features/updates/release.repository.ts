import { z } from 'zod'
import type { Queryable } from '../../db/database.ts'
import { findSetting } from '../../db/settings.ts'

export const latestReleaseKey = 'update:latest'
export const notifiedReleaseKey = 'update:told'

const Stored = z.object({ version: z.string(), url: z.string(), security: z.boolean(), seenAt: z.string() })

export async function findLatestRelease(db: Queryable): Promise<z.infer<typeof Stored> | undefined> {
  const text = await findSetting(db, latestReleaseKey)
  return text === undefined ? undefined : Stored.parse(JSON.parse(text))
}
