import { failureTexts } from '@panel/contract/failure-texts'
import type { Deployment, DeploymentSnapshot, DeploymentUpload } from '@panel/contract/deployments'
import { knownSentences } from '@panel/contract/sentences'
import type { StoredSnapshot, StoredUpload } from '../../db/schema/deployments.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { type DeploymentRow, readLogs } from './deployments.repository.ts'

/** For `active`; undefined for deployments that cannot be live, such as queued or cancelled ones. */
type Live = Pick<ProjectRow, 'liveDeploymentId'> | undefined

export async function withLog(deps: Pick<Dependencies, 'db'>, row: DeploymentRow, live: Live): Promise<Deployment> {
  return deploymentView(row, live, (await readLogs(deps.db, [row.id], logBytes)).get(row.id))
}

export const withoutLog = (row: DeploymentRow, live: Live): Deployment => ({
  ...deploymentView(row, live, undefined),
  buildLogs: null
})

const logBytes = 1024 * 1024

const removedNote = '[This log was removed: only the latest logs are kept, up to a limit per project and account]\n'

export function deploymentView(row: DeploymentRow, live: Live, log: string | undefined): Deployment {
  return {
    id: row.id,
    status: row.status,
    active: live?.liveDeploymentId === row.id,
    failure: row.failure && { ...row.failure, sentences: knownSentences(failureTexts, row.failure.sentences ?? []) },
    trigger: row.trigger,
    commitHash: row.commitHash,
    commitMsg: row.commitMsg,
    sourceImage: row.sourceImage,
    upload: row.upload && uploadView(row.upload),
    snapshot: row.snapshot && row.snapshot.isPending !== true ? snapshotView(row.snapshot) : null,
    buildLogs: log ?? (row.logRemovedAt === null ? null : removedNote),
    duration: row.duration,
    canRollback: row.status === 'RUNNING' && (row.image !== null || row.sourceImage !== null) && hasFiles(row),
    projectId: row.projectId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}

/** A redeployment of a site that is served from its files has no snapshot. */
const hasFiles = ({ imageSpec, snapshot }: DeploymentRow) => imageSpec?.servesFiles !== true || snapshot !== null

const snapshotView = ({ archive, files, bytes }: StoredSnapshot): DeploymentSnapshot => ({ archive, files, bytes })

const uploadView = ({ id: _id, commit: _commit, ...upload }: StoredUpload): DeploymentUpload => upload
