import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ProjectManifest } from '../features/backups/panel-manifest.ts'
import { volumeRoot } from '../features/backups/snapshot-paths.policy.ts'
import type { BackupRepository, Repository, Snapshot } from '../infra/backup-repository/backup-repository.ts'
import { exists } from '../infra/disk/exists.ts'
import { createHostHelper } from '../infra/host-helper/local-host-helper.ts'
import { run } from '../infra/process/run.ts'
import { readStagedText, removeStaged } from '../infra/staging/staging.ts'
import { messageOf } from '../text/message-of.ts'
import { sftpPaths, stagingRoot } from '../process/paths.ts'
import {
  listRestoredProjects,
  listRestoredVolumes,
  type RestoredProject,
  type RestoredVolume
} from './restored-rows.repository.ts'
import { chooseProjectSnapshots } from './snapshots.policy.ts'
import type { StagedMachine } from './staged-machine.ts'

interface Work {
  backups: BackupRepository
  repository: Repository
  snapshots: readonly Snapshot[]
  machine: StagedMachine
  step(text: string): void
  signal: AbortSignal
}

/** Files and databases of every project. One that cannot be restored does not stop the others; resolves with what is missing. */
export async function restoreProjects(work: Work): Promise<string[]> {
  const { machine, step, signal } = work
  const config = machine.config()
  const all = (await listRestoredProjects(machine.store().db)).filter(({ filesName }) => filesName !== null)
  const volumes = await listRestoredVolumes(machine.store().db)
  const helper = createHostHelper({ run, projectsDirectory: config.PROJECTS_DIR, ...sftpPaths(config) })
  for (const uid of new Set(all.map((project) => project.uid)))
    await helper.syncProjects(
      uid,
      [...all, ...volumes]
        .filter((directory) => directory.uid === uid)
        .map(({ id, filesName }) => ({ id, name: filesName! }))
    )
  const chosen = chooseProjectSnapshots(work.snapshots, all.map(({ id }) => id)) // oxfmt-ignore
  const missing: string[] = []
  for (const [index, project] of all.entries()) {
    signal.throwIfAborted()
    const snapshot = chosen.get(project.id)
    if (!snapshot) {
      missing.push(`Project ${project.name}: it has no backup on this target`)
      continue
    }
    step(
      `Restoring project ${project.name} (${index + 1} of ${all.length}), backed up ${snapshot.takenAt.toISOString()}`
    )
    const mounted = volumes.filter(({ projectId }) => projectId === project.id)
    await restoreProject(work, helper, { project, volumes: mounted }, snapshot).catch((error: unknown) => {
      if (signal.aborted) throw error
      missing.push(`Project ${project.name}: ${messageOf(error)}`)
    })
  }
  return missing
}

async function restoreProject(
  { backups, repository, machine, signal }: Work,
  helper: ReturnType<typeof createHostHelper>,
  { project: { id, uid }, volumes }: { project: RestoredProject; volumes: readonly RestoredVolume[] },
  snapshot: Snapshot
): Promise<void> {
  // Below the staging area: the helper moves files from there only.
  const directory = join(stagingRoot(machine.config()), `restore-${id}`)
  const at = (name: string) => join(directory, name)
  await mkdir(at('restored'), { recursive: true, mode: 0o700 })
  await backups.restore(repository, snapshot.id, { path: '', directory: at('restored'), signal })
  const manifest = ProjectManifest.parse(
    z.json().parse(JSON.parse((await readStagedText(join(at('restored'), 'manifest.json'))) ?? 'null'))
  )
  if (await exists(join(at('restored'), 'files'))) {
    await rename(join(at('restored'), 'files'), at('files'))
    await helper.replaceProject(uid, id, at('files'), at('previous'))
  }
  for (const volume of volumes) {
    const restored = join(at('restored'), volumeRoot(volume.name))
    if (!(await exists(restored))) continue
    await rename(restored, at(volume.id))
    await helper.replaceProject(uid, volume.id, at(volume.id), at(`previous-${volume.id}`))
  }
  await machine.loadDatabases(join(at('restored'), 'databases'), manifest.databases)
  await removeStaged(directory)
}
