import type { PageCacheDay } from '@panel/contract/wordpress'
import type { FoundFile } from '../../infra/file-store/file-store.ts'

/** The page cache appends a byte to `requests-<date>.<kind>` for each request. */
export function daysOfRequests(files: readonly Pick<FoundFile, 'name' | 'size' | 'type'>[]): PageCacheDay[] {
  const days = new Map<string, PageCacheDay>()
  for (const { name, size, type } of files) {
    const [, date, kind] = /^requests-(\d{4}-\d{2}-\d{2})\.(hits|misses|bypasses)$/.exec(name) ?? []
    if (type !== 'file' || date === undefined || Number.isNaN(Date.parse(date))) continue
    const day = days.get(date) ?? { date, hits: 0, misses: 0, bypasses: 0 }
    days.set(date, { ...day, [kind!]: size })
  }
  return [...days.values()].toSorted((one, other) => (one.date < other.date ? 1 : -1)).slice(0, 7)
}
