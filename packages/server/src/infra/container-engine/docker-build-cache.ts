import type { BuildCacheRecord, ContainerEngine } from './container-engine.ts'
import type { EngineCall, TimeLimits } from './docker-call.ts'

interface ListedCache {
  BuildCache: { ID: string; Size: number; InUse: boolean; CreatedAt: string; LastUsedAt?: string | null }[] | null
}

/** Removing thousands of records takes that long on a slow disk. */
const pruneTimeoutMs = 300_000

export function createBuildCacheCalls({
  call,
  limits
}: {
  call: EngineCall
  limits: TimeLimits
}): Pick<ContainerEngine, 'listBuildCache' | 'pruneBuildCache'> {
  return {
    listBuildCache: async () => {
      const query = { type: 'build-cache' }
      const { BuildCache } = await call(limits.long, (engine) =>
        engine.ask<ListedCache>('GET', '/system/df', { query })
      )
      return (BuildCache ?? []).map(({ ID, Size, InUse, CreatedAt, LastUsedAt }): BuildCacheRecord => ({
        id: ID,
        sizeBytes: Size,
        isInUse: InUse,
        lastUsedAt: new Date(LastUsedAt ?? CreatedAt)
      }))
    },
    pruneBuildCache: async (what) => {
      const query =
        'before' in what
          ? { all: true, filters: { until: [what.before.toISOString()] } }
          : { all: true, 'keep-storage': what.keepBytes }
      const answer = await call(pruneTimeoutMs, (engine) =>
        engine.ask<{ SpaceReclaimed?: number }>('POST', '/build/prune', { query })
      )
      return answer.SpaceReclaimed ?? 0
    }
  }
}
