import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { fileOfTable } from '../../db/store-dump.ts'
import { findSetting } from '../../db/settings.ts'
import { dropScratchStore, listScratchStores, withScratchStore } from '../../db/scratch-store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { checksumsBelow, isStaged, listStaged, makeStagingDirectory, readStagedText, removeStaged } from '../../infra/staging/staging.ts' // oxfmt-ignore
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { stagingRoot } from '../../process/paths.ts'
import { findPanelBackup, findTarget } from '../backups/backup-access.ts'
import { requireGood } from '../backups/backups.service.ts'
import { copiesName } from '../backups/panel-backup.service.ts'
import { PanelManifest } from '../backups/panel-manifest.ts'
import { manifestName } from '../backups/stage-backup.service.ts'
import { openRepository, requireTarget } from '../backups/targets.service.ts'
import type { AccountRestoreRow } from './account-restores.repository.ts'
import { readTables } from './account-rows.repository.ts'

export const stagingPrefix = 'account-restore-'
const stagingOf = ({ config }: Pick<Dependencies, 'config'>, id: string): string =>
  join(stagingRoot(config), `${stagingPrefix}${id}`)

/** Of scratch databases. Other panels may have their stores on the same server. */
function storePrefix({ db }: Pick<Dependencies, 'db'>): string {
  const { pathname } = new URL(db.$client.options.connectionString!)
  return `panel_restore_${createHash('sha256').update(pathname).digest('hex').slice(0, 8)}_`
}

export const scratchStoreOf = (deps: Pick<Dependencies, 'db'>, id: string): string => `${storePrefix(deps)}${id}`

interface OpenSnapshot {
  /** Restores a file or directory of the snapshot. Undefined if the snapshot does not have it. */
  fetch(path: string): Promise<string | undefined>
}

export interface AccountSnapshot extends OpenSnapshot {
  /** The rows of the backup, with the newest schema. */
  db: Database
  manifest: PanelManifest
}

type Of = Pick<AccountRestoreRow, 'id' | 'backupId'>

/** Opens the backup of the panel; what was fetched goes after `work`. */
export async function withSnapshot<T>(
  deps: Dependencies,
  row: Of,
  signal: AbortSignal,
  work: (snapshot: OpenSnapshot) => Promise<T>
): Promise<T> {
  const { backup } = requireGood(await findPanelBackup(deps.db, row.backupId))
  const repository = openRepository(deps, requireTarget(await findTarget(deps.db, backup.targetId)))
  const directory = stagingOf(deps, row.id)
  await removeStaged(directory)
  await makeStagingDirectory(directory)
  const fetch = async (path: string) => {
    await deps.backupRepository.restore(repository, backup.snapshotId!, { path, directory, signal })
    const found = join(directory, path)
    return (await isStaged(found)) ? found : undefined
  }
  try {
    await requireFreeDisk(deps)
    return await work({ fetch })
  } finally {
    await removeStaged(directory)
  }
}

/** Reads the store of the backup into a database of its own, for the time of `work`. */
export const withAccountSnapshot = <T>(
  deps: Dependencies,
  row: Of,
  signal: AbortSignal,
  work: (snapshot: AccountSnapshot) => Promise<T>
): Promise<T> =>
  withSnapshot(deps, row, signal, async ({ fetch }) => {
    const manifest = await readManifest(deps, fetch)
    const store = await fetch(`/${copiesName}/store`)
    if (store === undefined) throw damaged()
    await requireIntact(store, manifest)
    return withScratchStore(
      deps.db.$client.options.connectionString!,
      { name: scratchStoreOf(deps, row.id), directory: store, dump: manifest.store, tables: readTables },
      async (db) => {
        await requireOwnKey(deps, db)
        return work({ db, manifest, fetch })
      }
    )
  })

/** Ids of the account restores whose snapshot is open, or was when their worker was killed. */
export async function listSnapshotIds({ config, db }: Pick<Dependencies, 'config' | 'db'>): Promise<string[]> {
  const root = stagingRoot(config)
  const names = (await isStaged(root)) ? await listStaged(root) : []
  const staged = names.filter((name) => name.startsWith(stagingPrefix)).map((name) => name.slice(stagingPrefix.length))
  return [...new Set([...staged, ...(await listScratchStores(db, storePrefix({ db })))])]
}

export async function removeSnapshot(deps: Pick<Dependencies, 'config' | 'db'>, id: string): Promise<void> {
  await removeStaged(stagingOf(deps, id))
  await dropScratchStore(deps.db.$client.options.connectionString!, scratchStoreOf(deps, id))
}

async function readManifest(
  { instanceId }: Pick<Dependencies, 'instanceId'>,
  fetch: OpenSnapshot['fetch']
): Promise<PanelManifest> {
  const path = await fetch(`/${manifestName}`)
  const { data: manifest } = PanelManifest.safeParse(JSON.parse((path && (await readStagedText(path))) ?? 'null'))
  if (!manifest)
    throw new AppError('CONFLICT', 'This backup was made by a newer version of the panel. Install that version first.')
  if (manifest.installation !== instanceId)
    throw new AppError(
      'CONFLICT',
      'This backup was made by another installation of the panel, which can only be restored as a whole.'
    )
  return manifest
}

async function requireIntact(store: string, { files, store: { tables } }: PanelManifest): Promise<void> {
  const found = await checksumsBelow(store)
  for (const table of tables) {
    const file = fileOfTable(table)
    if (found.get(file) !== files[`store/${file}`]) throw damaged()
  }
}

const damaged = () => new AppError('CONFLICT', 'The store in this backup is damaged. Choose another backup.')

/** What is sealed in the backup must be readable: the key may have been changed since. */
async function requireOwnKey({ secretBox }: Pick<Dependencies, 'secretBox'>, db: Database): Promise<void> {
  const sealed = await findSetting(db, 'encryption_canary')
  try {
    // Stores that never ran as a panel, as in tests, have none.
    if (sealed !== undefined) secretBox.open(sealed)
  } catch (cause) {
    throw new AppError('CONFLICT', 'This backup was made with another encryption key. Choose a newer backup.', {
      cause
    })
  }
}
