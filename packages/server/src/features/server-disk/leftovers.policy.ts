interface TemporaryEntry {
  name: string
  modifiedAt: Date
}

interface TemporaryNames {
  /** Entries of other kinds are left alone. */
  prefix: string
  /** Names that are still needed, whatever their age. */
  kept: ReadonlySet<string>
}

/** Work that takes longer keeps changing its directory. */
const leftAfterMs = 24 * 3600_000

/** Temporary files whose work ended without removing them. */
export const leftoversIn = <Entry extends TemporaryEntry>(
  entries: readonly Entry[],
  { prefix, kept }: TemporaryNames,
  now: Date
): Entry[] =>
  entries.filter(
    ({ name, modifiedAt }) =>
      name.startsWith(prefix) && !kept.has(name) && now.getTime() - modifiedAt.getTime() > leftAfterMs
  )

const logKeptBytes = 2 ** 20

/** Logs that are worth emptying. */
export const largeLogsIn = <Entry extends { name: string; bytes: number; isDirectory: boolean }>(
  entries: readonly Entry[]
): Entry[] =>
  entries.filter(({ name, bytes, isDirectory }) => !isDirectory && name.endsWith('.log') && bytes > logKeptBytes)
