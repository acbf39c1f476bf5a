import {
  type CrtEntry,
  type CrtLines,
  fileOf,
  hides,
  parseCrtEntry,
  renderCrtLines,
  wildcardOver
} from './crt-list.render.ts'

export interface LineChange {
  added?: { entry: CrtEntry; filters: string }
  removed: readonly CrtEntry[]
}

/** The running certificates, indexed so that a change to one can be planned without scanning all. */
export interface RunningCertificates {
  readonly lines: CrtLines
  /** Undefined if other lines would change too (renderCrtLines), or its line but not its content. */
  planChange(id: string, entry?: CrtEntry): LineChange | undefined
  apply(change: LineChange): void
  areExactly(versions: ReadonlyMap<string, string>): boolean
}

export function indexRunning(running: CrtLines): RunningCertificates {
  const lines: CrtLines = new Map(running)
  const byId = createGroups()
  const byWildcard = createGroups()
  const byCover = createGroups()

  const put = (entry: CrtEntry, change: 'add' | 'delete') => {
    byId[change](entry.id, entry)
    for (const name of entry.hostnames) {
      byCover[change](wildcardOver(name), entry)
      if (name.startsWith('*.')) byWildcard[change](name, entry)
    }
  }
  for (const [file, filters] of lines) {
    const entry = parseCrtEntry(file, filters)
    if (entry) put(entry, 'add')
  }

  const isHiddenByAnother = (entry: CrtEntry) =>
    entry.hostnames.some((name) =>
      byWildcard.of(wildcardOver(name)).some((wildcard) => wildcard.id !== entry.id && hides(wildcard, entry, name))
    )
  const filtersOf = (entry: CrtEntry): string => {
    const covered = entry.hostnames.flatMap((name) => (name.startsWith('*.') ? byCover.of(name) : []))
    const others = new Set(covered.filter(({ id }) => id !== entry.id))
    return renderCrtLines([entry, ...others]).get(fileOf(entry))!
  }

  return {
    lines,
    planChange(id, entry) {
      const previous = byId.of(id)
      if ([...previous, ...(entry ? [entry] : [])].some(isHiddenByAnother)) return undefined
      if (!entry) return { removed: previous }
      const file = fileOf(entry)
      const filters = filtersOf(entry)
      const removed = previous.filter((one) => fileOf(one) !== file)
      if (!lines.has(file)) return { added: { entry, filters }, removed }
      return lines.get(file) === filters ? { removed } : undefined
    },
    apply({ added, removed }) {
      if (added) {
        lines.set(fileOf(added.entry), added.filters)
        put(added.entry, 'add')
      }
      for (const entry of removed) {
        lines.delete(fileOf(entry))
        put(entry, 'delete')
      }
    },
    areExactly: (versions) =>
      versions.size === lines.size &&
      [...versions].every(([id, version]) => byId.of(id).some((entry) => entry.version === version))
  }
}

function createGroups() {
  const groups = new Map<string, Map<string, CrtEntry>>()
  return {
    of: (key: string): CrtEntry[] => [...(groups.get(key)?.values() ?? [])],
    add(key: string, entry: CrtEntry) {
      const group = groups.get(key) ?? new Map<string, CrtEntry>()
      groups.set(key, group.set(fileOf(entry), entry))
    },
    delete(key: string, entry: CrtEntry) {
      const group = groups.get(key)
      group?.delete(fileOf(entry))
      if (group?.size === 0) groups.delete(key)
    }
  }
}
