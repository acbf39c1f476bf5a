import { type DiskCleanupGroup, type DiskCleanupKind, diskCleanupKinds, type DiskCleanupPreview, type DiskCleanupResult, diskCleanupTexts } from '@panel/contract/server-disk' // oxfmt-ignore
import type { Dependencies } from '../../dependencies.ts'
import { asAppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import type { CleanupItem, DiskCleanupSource } from '../feature.ts'

const listedItems = 20

/** What would go at this moment; nothing is removed. */
export const previewCleanup = workerVerb(
  'serverDisk.preview',
  [],
  async (deps: Dependencies): Promise<DiskCleanupPreview> => {
    const groups: DiskCleanupGroup[] = []
    for (const kind of diskCleanupKinds) groups.push(await previewOf(deps, kind))
    return { groups }
  },
  { timeoutMs: 11 * 60_000 }
)

async function previewOf(deps: Dependencies, kind: DiskCleanupKind): Promise<DiskCleanupGroup> {
  const about = { kind, about: diskCleanupTexts[kind], isRecommended: kind !== 'OTHER_IMAGES' }
  try {
    const items = await listItems(deps, kind)
    const largest = items.toSorted((a, b) => b.bytes - a.bytes).slice(0, listedItems)
    return {
      ...about,
      count: items.length,
      bytes: sumOf(items),
      items: largest.map(({ name, bytes }) => ({ name, bytes })),
      problem: null
    }
  } catch (error) {
    return { ...about, count: 0, bytes: 0, items: [], problem: problemOf(deps, kind, error) }
  }
}

/**
 * Removes what is safe to remove now; what a preview listed does not matter. Repeating it is harmless. Reports progress
 * after each item, and stops between two items when `signal` aborts.
 */
export async function cleanKind(
  deps: Dependencies,
  kind: DiskCleanupKind,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (result: DiskCleanupResult) => Promise<void> }
): Promise<DiskCleanupResult> {
  const result = { kind, total: 0, removed: 0, failed: 0, bytes: 0, problem: null as string | null }
  try {
    const items = await listItems(deps, kind)
    result.total = items.length
    for (const item of items) {
      if (signal.aborted) return result
      if (await removeItem(deps, kind, item)) {
        result.removed++
        result.bytes += item.bytes
      } else result.failed++
      await onProgress?.(result)
    }
  } catch (error) {
    result.problem = problemOf(deps, kind, error)
  }
  return result
}

async function removeItem(deps: Dependencies, kind: DiskCleanupKind, item: CleanupItem): Promise<boolean> {
  try {
    return await item.remove()
  } catch (error) {
    deps.logger.warn({ kind, item: item.name, error: messageOf(error) }, 'could not clean up')
    return false
  }
}

const listItems = async (deps: Dependencies, kind: DiskCleanupKind): Promise<CleanupItem[]> => {
  const sources: DiskCleanupSource[] = deps.features.flatMap(({ diskCleanups }) => diskCleanups ?? [])
  const items = []
  for (const source of sources) if (source.kind === kind) items.push(...(await source.list(deps)))
  return items
}

function problemOf({ logger }: Dependencies, kind: DiskCleanupKind, error: unknown): string {
  logger.warn({ kind, error: messageOf(error) }, 'could not clean up')
  if (error instanceof AdapterError) return error.message
  return asAppError(error)?.message ?? 'Internal error. Check the log of the panel.'
}

const sumOf = (items: readonly CleanupItem[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0)
