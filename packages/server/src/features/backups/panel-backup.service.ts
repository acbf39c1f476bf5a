import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import type { BackupRoot } from '../../infra/backup-repository/backup-repository.ts'
import { checksumsBelow } from '../../infra/staging/staging.ts'
import { version } from '../../process/version.ts'
import { listMailboxAddresses } from '../mailboxes/mailbox-access.ts'
import { type DatabaseDumpFacts, withoutChecksum } from './database-dumps.service.ts'
import { type CollectDeps, panelContents } from './panel-contents.ts'
import type { PanelManifest } from './panel-manifest.ts'
import type { MadeBackup } from './project-backup.service.ts'
import { installationTag, panelTag } from './snapshot-tags.ts'
import { backUpStage, type BackupWork } from './stage-backup.service.ts'

type Deps = CollectDeps & Pick<Dependencies, 'backupRepository' | 'instanceId'>

/** Directory of the snapshot with what was copied. */
export const copiesName = 'panel'

/** Layout of a snapshot: `panel/<content>/` for copies, `<content>/` for directories, `manifest.json`. */
export async function backUpPanel(deps: Deps, work: BackupWork): Promise<MadeBackup> {
  const tags = [panelTag, installationTag(deps.instanceId)]
  const { saved, filled } = await backUpStage(deps, { ...work, name: 'panel', tags }, async (stage) => {
    const copies = join(stage, copiesName)
    const roots: BackupRoot[] = []
    let databases: DatabaseDumpFacts[] = []
    let store: PanelManifest['store'] | undefined
    const atTop: string[] = []
    for (const { name, isLarge, collect } of panelContents) {
      const collected = await collect(deps, join(isLarge ? stage : copies, name), work.signal)
      if (collected && (isLarge || collected.directory !== undefined)) atTop.push(name)
      if (collected?.directory !== undefined) roots.push({ name, directory: collected.directory })
      databases = collected?.databases ?? databases
      store = collected?.store ?? store
    }
    const files = await checksumsBelow(copies)
    const manifest: PanelManifest = {
      version: 1,
      installation: deps.instanceId,
      address: deps.config.API_BASE_URL,
      panelVersion: version,
      store: store!,
      databases,
      mailboxes: await listMailboxAddresses(deps.db),
      directories: atTop,
      files: Object.fromEntries(files)
    }
    return {
      manifest,
      roots,
      databases: databases.map(withoutChecksum),
      checksums: new Map([...files].map(([path, sha256]) => [`/${copiesName}/${path}`, sha256]))
    }
  })
  return { ...saved, databases: filled.databases, excluded: [], volumes: [] }
}
