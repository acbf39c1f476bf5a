import { join } from 'node:path'
import { type StoreDump, dumpStore } from '../../db/store-dump.ts'
import type { Dependencies } from '../../dependencies.ts'
import { copyStaged, isStaged, linkStagedTree, makeStagingDirectory, readStagedText, writeStagedText } from '../../infra/staging/staging.ts' // oxfmt-ignore
import { type PanelState, panelSettingsPath, panelState } from '../../process/paths.ts'
import { uploadDirectory } from '../git/workspace.service.ts'
import { listKeptUploads } from '../source-uploads/source-upload-access.ts'
import { listUnlinkedDatabases } from '../databases/database-access.ts'
import { type DatabaseDumpFacts, dumpDatabases } from './database-dumps.service.ts'
import type { PanelManifest } from './panel-manifest.ts'
import { renderBackupSettings } from './panel-settings.render.ts'

export type CollectDeps = Pick<
  Dependencies,
  'config' | 'databaseDump' | 'db' | 'dnsServer' | 'freeDiskBytes' | 'secretBox'
>

interface Collected {
  store?: StoreDump
  databases?: DatabaseDumpFacts[]
  /** Read where it is, without a copy. */
  directory?: string
}

/** A machine on which a panel is put back. No program uses its directories yet. */
export interface RestoredMachine {
  writeSettings(text: string): Promise<void>
  loadStore(directory: string, dump: StoreDump): Promise<void>
  loadDatabases(directory: string, databases: PanelManifest['databases']): Promise<void>
  /** Moves a restored directory to where the panel keeps it. */
  place(state: keyof PanelState, from: string): Promise<void>
  /** Moves the restored uploads of each project, which are in a directory named after it. */
  placeUploads(from: string): Promise<void>
}

export interface PanelContent {
  /** Name in the snapshot: below `panel/` if it is copied into the stage, else at the top. */
  name: string
  /** A copy that is too large to be read back by checksum. It is at the top of the snapshot. */
  isLarge?: true
  /** Undefined if this machine has none. `path` is where a copy goes; nothing is there yet. */
  collect(deps: CollectDeps, path: string, signal: AbortSignal): Promise<Collected | undefined>
  /** `path` is where it was restored. */
  putBack(machine: RestoredMachine, path: string, manifest: PanelManifest): Promise<void>
}

/** A directory that is read where it is. Its files may change meanwhile: each is in the backup as it was at one time. */
const inPlace = (name: string, state: keyof PanelState): PanelContent => ({
  name,
  async collect({ config }) {
    const directory = panelState(config)[state]
    return (await isStaged(directory)) ? { directory } : undefined
  },
  putBack: (machine, path) => machine.place(state, path)
})

/**
 * Everything that a panel needs besides the files and databases of its projects, in the order in which it is put back.
 * Not part of it is what the panel renders from the store: zones, certificates of the proxy and the mail servers, DKIM
 * keys, SFTP accounts, configurations. Those that are copied are checked by checksum, the others by their number of
 * files (stage-backup.service.ts).
 */
export const panelContents: readonly PanelContent[] = [
  {
    name: 'settings',
    async collect({ config }, path) {
      await makeStagingDirectory(path)
      const text = (await readStagedText(panelSettingsPath(config))) ?? ''
      await writeStagedText(join(path, settingsFile), renderBackupSettings(text, config))
      return {}
    },
    async putBack(machine, path) {
      await machine.writeSettings((await readStagedText(join(path, settingsFile)))!)
    }
  },
  {
    name: 'store',
    async collect({ db }, path, signal) {
      await makeStagingDirectory(path)
      return { store: await dumpStore(db.$client.options.connectionString!, path, signal) }
    },
    putBack: (machine, path, { store }) => machine.loadStore(path, store)
  },
  {
    name: 'databases',
    async collect(deps, path, signal) {
      return { databases: await dumpDatabases(deps, await listUnlinkedDatabases(deps.db), path, signal) }
    },
    putBack: (machine, path, { databases }) => machine.loadDatabases(path, databases)
  },
  {
    name: 'name-server',
    async collect({ dnsServer }, path) {
      await dnsServer.copyState(path)
      return (await isStaged(path)) ? {} : undefined
    },
    putBack: (machine, path) => machine.place('nameServer', path)
  },
  {
    name: 'sftp-host-keys',
    async collect({ config }, path) {
      const from = panelState(config).sftpServer
      if (!(await isStaged(from))) return undefined
      await copyStaged(from, path, (name) => name.startsWith('ssh_host_'))
      return {}
    },
    putBack: (machine, path) => machine.place('sftpServer', path)
  },
  {
    name: 'uploads',
    isLarge: true,
    async collect({ config, db }, path) {
      let isAny = false
      for (const { id, projectId } of await listKeptUploads(db)) {
        const from = uploadDirectory(config, projectId, id)
        if (await linkStagedTree(from, join(path, projectId, id))) isAny = true
      }
      return isAny ? {} : undefined
    },
    putBack: (machine, path) => machine.placeUploads(path)
  },
  inPlace('mail', 'mail'),
  inPlace('kept-mail', 'keptMail'),
  inPlace('deploy-keys', 'deployKeys'),
  inPlace('audit-archive', 'auditArchive')
]

const settingsFile = 'panel.env'
