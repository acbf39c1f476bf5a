import { randomBytes } from 'node:crypto'
import { Id } from '@panel/contract/common'
import { CreateWordpressStaging, type WordpressStaging, type WordpressTask } from '@panel/contract/wordpress-care'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { StoredRule } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { newId } from '../../security/ids.ts'
import { loginDigest } from '../../security/login-digest.ts'
import { proxyLoginKey } from '../../security/proxy-proof.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import type { AuditOrigin } from '../audit/recording.service.ts'
import { queueDeployment } from '../deployments/deployments.service.ts'
import { runEffects } from '../hooks.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { applyProjectRules, saveProjectRules } from '../domains/project-rules.service.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { addProject } from '../projects/projects.service.ts'
import { getOwnSite } from '../wordpress/wordpress-access.ts'
import { requireRoom } from './site-content.service.ts'
import { findSite, isSiteServing, listStagingCopies, saveSite } from './sites.repository.ts'
import { startTask } from './task-request.service.ts'

const username = 'staging'

export const createStaging = workerVerb(
  'wordpress.createStaging',
  [Origin, Id, Id, CreateWordpressStaging],
  createStagingHere,
  { isSecret: true }
)

/** A project of its own that is deployed empty and then gets the content of the site. */
async function createStagingHere(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { name }: CreateWordpressStaging
): Promise<WordpressTask> {
  const site = await getOwnSite(deps.db, projectId, userId)
  if (!(await isSiteServing(deps.db, projectId)))
    throw new AppError('CONFLICT', 'The site is stopped, asleep, being deployed, imported or changed. Try again when it is running.') // oxfmt-ignore
  await requireRoom(deps, site)
  const { type, size, buildCmd, gitUrl, branch, rootDirectory } = site
  const repository =
    gitUrl === null ? {} : { gitUrl, ...(branch && { branch }), ...(rootDirectory && { rootDirectory }) }
  const password = randomBytes(12).toString('base64url')
  const { task, effects } = await deps.db.transaction(async (trx) => {
    const { project, effects } = await addProject(deps, trx, origin, userId, {
      name: name ?? `${site.name.slice(0, 55)}-staging`,
      type,
      ...(size && { size }),
      ...(buildCmd !== null && { buildCmd }),
      ...repository
    })
    const { id } = project
    await saveSite(trx, id, { stagingOf: projectId, encryptedPassword: deps.secretBox.seal(password) })
    await saveProjectRules(trx, id, accessRules(proxyLoginKey(deps.config), password), deps.now())
    await queueDeployment(deps, trx, project, { trigger: 'MANUAL' })
    const copy = { fromProjectId: projectId, files: true, database: true }
    const task = await startTask(deps, trx, origin, { userId, projectId: id, copy, trigger: 'MANUAL', kind: 'COPY' })
    return { task, effects }
  })
  await runEffects(deps, effects)
  // The content comes later. Until the reconciler has repeated what fails here, the route is closed.
  await applyProjectRules(deps, task.projectId)
  return task
}

function accessRules(loginKey: string, password: string): StoredRule[] {
  const everywhere = { enabled: true, match: 'PREFIX', path: '/', note: '' } as const
  const id = newId()
  return [
    { ...everywhere, id, kind: 'LOGIN', users: [{ username, digest: loginDigest(loginKey, id, username, password) }] },
    { ...everywhere, id: newId(), kind: 'HEADER', name: 'X-Robots-Tag', value: 'noindex, nofollow' }
  ]
}

export const getStaging = workerVerb('wordpress.staging', [Id, Id], stagingHere, { isSecret: true })

async function stagingHere(
  deps: Pick<Dependencies, 'config' | 'db' | 'secretBox'>,
  userId: string,
  projectId: string
): Promise<WordpressStaging> {
  await getOwnSite(deps.db, projectId, userId)
  const linked = (project: ProjectRow) => ({
    id: project.id,
    name: project.name,
    hostname: siteHostname(deps.config, project)
  })
  const [site, copies] = await Promise.all([findSite(deps.db, projectId), listStagingCopies(deps.db, projectId)])
  const original = site?.stagingOf == null ? undefined : await findProject(deps.db, site.stagingOf)
  return {
    stagingOf: original ? linked(original) : null,
    access:
      site?.encryptedPassword == null ? null : { username, password: deps.secretBox.open(site.encryptedPassword) },
    copies: copies.map(linked)
  }
}
