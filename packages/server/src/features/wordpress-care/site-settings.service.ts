import { Id } from '@panel/contract/common'
import { type WordpressDebugLog, WordpressSettings, type WordpressSettingsNow } from '@panel/contract/wordpress-care'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { lockProject, ownedBy } from '../projects/project-access.ts'
import { getOwnSite } from '../wordpress/wordpress-access.ts'
import { nextUpdate } from './cron.policy.ts'
import { readDebugLog, readSwitches, setDebugLog, setMaintenance, siteTree } from './site-files.service.ts'
import { findSite, saveSite } from './sites.repository.ts'
import { listTasks } from './tasks.repository.ts'

export const changeSettings = workerVerb('wordpress.changeSettings', [Origin, Id, Id, WordpressSettings], settingsHere)

async function settingsHere(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  settings: WordpressSettings
): Promise<WordpressSettingsNow> {
  const project = await getOwnSite(deps.db, projectId, userId)
  const { updatePolicy, maintenance, debugLog } = settings
  await deps.db.transaction(async (trx) => {
    ownedBy(await lockProject(trx, projectId), userId)
    const [task] = await listTasks(trx, projectId, 1)
    if (maintenance !== undefined && task?.hasCopy)
      throw new AppError('CONFLICT', 'Another change to this site is in progress. Wait for it to finish.')
    if (updatePolicy !== undefined) {
      const nextUpdateAt = updatePolicy === 'OFF' ? null : nextUpdate(projectId, deps.now())
      await saveSite(trx, projectId, { updatePolicy, nextUpdateAt })
    }
    await recordAudit(deps, trx, origin, {
      action: 'wordpress.settings_changed',
      actorId: userId,
      targetId: projectId,
      metadata: { ...settings }
    })
  })
  const tree = await siteTree(deps, project)
  if (maintenance !== undefined) await setMaintenance(tree, maintenance)
  if (debugLog !== undefined) await setDebugLog(tree, debugLog)
  const site = await findSite(deps.db, projectId)
  return { updatePolicy: site?.updatePolicy ?? 'OFF', ...(await readSwitches(tree)) }
}

export const getDebugLog = workerVerb('wordpress.debugLog', [Id, Id], debugLogHere)

async function debugLogHere(
  deps: Pick<Dependencies, 'config' | 'db' | 'nodes'>,
  userId: string,
  projectId: string
): Promise<WordpressDebugLog> {
  return readDebugLog(await siteTree(deps, await getOwnSite(deps.db, projectId, userId)))
}
