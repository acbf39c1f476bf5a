import type { StoredSnapshot } from '../../db/schema/deployments.ts'
import type { Dependencies } from '../../dependencies.ts'
import { BuildError, type SiteFiles } from '../../infra/image-builder/image-builder.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { placeSnapshot, readSiteFiles, settlePlacements, takeSnapshot } from '../snapshots/snapshot-access.ts'
import type { DeploymentLog } from './deployment-log.service.ts'
import { type DeploymentRow, findDeployment, updateDeployment } from './deployments.repository.ts'

interface Run {
  deployment: DeploymentRow
  project: ProjectRow
  log: DeploymentLog
  signal: AbortSignal
}

/** Whatever the trigger: after a restore of the panel, for example, it is MANUAL. */
export const isOfFiles = (
  { upload, snapshot }: Pick<DeploymentRow, 'upload' | 'snapshot'>,
  { source }: Pick<ProjectRow, 'source'>
): boolean => upload === null && (snapshot !== null || source === 'FILES')

/** Takes the snapshot of a deployment, or finds that of its archive. Resolves with what configures the site. */
export async function siteFilesOf(deps: Dependencies, run: Run): Promise<SiteFiles> {
  const { deployment, project, log, signal } = run
  log.phase('fetch')
  await settlePlacements(deps, project.id)
  const known = deployment.snapshot
  const id = known?.id ?? deployment.id
  if (known === null || known.isPending) {
    const { files, bytes, hasIndex } = await takeSnapshot(deps, project, id, signal)
    log.line(`Snapshot of the files of the project: ${files} files, ${megabytes(bytes)} MB`)
    if (!hasIndex)
      log.line(
        `Note: the folder has no ${project.type === 'PHP' ? 'index.php' : 'index.html'}, so the home page of the site is an error page.`
      )
    const snapshot: StoredSnapshot = { id, archive: null, files, bytes, ...(known?.isSaved && { isSaved: true }) }
    await updateDeployment(deps.db, deployment.id, { snapshot }, deps.now())
  } else log.line(`Archive ${known.archive ?? ''}: ${known.files} files, ${megabytes(known.bytes)} MB`)
  const siteFiles = await readSiteFiles(deps, project, id)
  if (siteFiles === undefined) throw new BuildError({ code: 'UPLOAD_NOT_KEPT' })
  return siteFiles
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

/** For an archive or a roll back: its files become those of the project, before the containers start. */
export async function placeFiles(deps: Dependencies, run: Run): Promise<void> {
  const { deployment, project, log, signal } = run
  const { snapshot, trigger } = deployment
  if (snapshot === null || (trigger !== 'UPLOAD' && trigger !== 'ROLLBACK')) return
  await settlePlacements(deps, project.id)
  if (snapshot.after !== undefined) {
    const saved = await findDeployment(deps.db, project.id, snapshot.after)
    if (saved?.status !== 'RUNNING') throw new BuildError({ code: 'FILES_NOT_SAVED' })
  }
  log.line('The files of the project are replaced')
  await placeSnapshot(deps, { project, deploymentId: deployment.id, snapshotId: snapshot.id, signal })
}
