import { join } from 'node:path'
import type { BackedUpDatabase } from '@panel/contract/backups'
import type { Dependencies } from '../../dependencies.ts'
import { makeStagingDirectory } from '../../infra/staging/staging.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import type { DatabaseRow } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'

type Deps = Pick<Dependencies, 'config' | 'databaseDump' | 'freeDiskBytes' | 'secretBox'>

export interface DatabaseDumpFacts extends BackedUpDatabase {
  sha256: string
}

/** Writes `<id>.sql` for each database into a new directory. */
export async function dumpDatabases(
  deps: Deps,
  rows: readonly DatabaseRow[],
  directory: string,
  signal: AbortSignal
): Promise<DatabaseDumpFacts[]> {
  await makeStagingDirectory(directory)
  const dumps: DatabaseDumpFacts[] = []
  for (const row of rows) {
    const path = join(directory, `${row.id}.sql`)
    const maxBytes = await requireFreeDisk(deps)
    const dumped = await deps.databaseDump.dump(row.type, openAccount(deps, row), path, { maxBytes, signal })
    dumps.push({ id: row.id, name: row.name, type: row.type, ...dumped })
  }
  return dumps
}

export const withoutChecksum = ({ sha256: _, ...database }: DatabaseDumpFacts): BackedUpDatabase => database
