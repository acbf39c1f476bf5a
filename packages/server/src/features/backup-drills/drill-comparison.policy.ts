interface Counted {
  files: number
  bytes: number
}

/** Undefined if the restored files are those that the snapshot lists. */
export function filesProblem(listed: Counted, restored: Counted): string | undefined {
  if (listed.files !== restored.files) return `The backup lists ${listed.files} files, ${restored.files} were restored.`
  if (listed.bytes !== restored.bytes)
    return `The files of the backup have ${listed.bytes} bytes, the restored ones ${restored.bytes}.`
  return undefined
}

interface BackedUp {
  name: string
  tables: number
  /** Unknown in backups of earlier versions. */
  rows?: number | undefined
  sha256: string
}

interface Loaded {
  tables: number
  rows: number
}

/** Undefined if the restored dump is the one that the manifest describes. */
export const dumpProblem = ({ name, sha256 }: BackedUp, restoredSha256: string | undefined): string | undefined =>
  restoredSha256 === sha256 ? undefined : `The dump of the database ${name} differs from the one that was made.`

/** Undefined if the loaded database has what was backed up. */
export function databaseProblem({ name, tables, rows }: BackedUp, loaded: Loaded): string | undefined {
  if (loaded.tables !== tables) return `The database ${name} had ${tables} tables, ${loaded.tables} were restored.`
  if (rows !== undefined && loaded.rows !== rows)
    return `The database ${name} had ${rows} rows, ${loaded.rows} were restored.`
  return undefined
}

/** Bytes on the disks that a drill may take: the files, and of each database its dump, its content and the dump to compare. */
export const scratchBytes = (bytes: number, databases: readonly { bytes: number }[]): number =>
  bytes + databases.reduce((sum, database) => sum + 3 * database.bytes, 0)
