import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Schema, unwrap } from '@panel/client'
import { at, type Client, type RunningPanel, startPanel } from './panel.ts'
import { makeRootDirectory } from './root-directory.ts'
import { ownDatabases } from './shared-databases.ts'

interface BackupPanel {
  panel: RunningPanel
  /** PROJECTS_DIR. */
  projects: string
  directory: string
  /** Path for a target, on a disk in that directory. */
  repository: string
}

/** A panel with database servers of its own, and a place for its backups. Adds to `closers` what removes them. */
export async function startBackupPanel(
  closers: (() => Promise<unknown>)[],
  env: Record<string, string> = {}
): Promise<BackupPanel> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-backups-'))
  closers.push(() => rm(directory, { recursive: true, force: true }))
  await chmod(directory, 0o711)
  await mkdir(join(directory, 'disk'))
  const root = await makeRootDirectory()
  closers.push(() => rm(root, { recursive: true, force: true }))
  const projects = join(root, 'projects')
  const panel = await startPanel({ ...ownDatabases, PROJECTS_DIR: projects, ...env })
  closers.push(() => panel.dispose())
  return { panel, projects, directory, repository: join(directory, 'disk/panel') }
}

/** Adds a folder as a target and confirms its key. */
export async function addFolderTarget(by: Client, path: string): Promise<Schema<'NewBackupTarget'>> {
  const target = await unwrap(by.api.POST('/api/backups/targets', { body: { kind: 'FOLDER', name: 'Disk', path } }))
  await unwrap(by.api.POST('/api/backups/targets/{id}/confirm', { ...at(target.id), body: { key: target.key } }))
  return target
}
