import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import {
  SignInToWordpress,
  WordpressLogin,
  type WordpressPassword,
  type WordpressSignIn
} from '@panel/contract/wordpress-care'
import type { Dependencies } from '../../dependencies.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAuditAlone } from '../audit/recording.service.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { listHostnames, listProjectRoutes } from '../domains/project-route-access.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { getOwnSite } from '../wordpress/wordpress-access.ts'
import { scriptLimit } from './script.limits.ts'
import { signInUrl } from './sign-in-url.policy.ts'
import { askSite, valueOf } from './site-script.service.ts'

const validSeconds = 60
const Login = z.string().max(300)

export const signInToSite = workerVerb('wordpress.signIn', [Origin, Id, Id, SignInToWordpress], signInHere, {
  isSecret: true
})

/** The site keeps the hash of the token among its options and takes it once (infra/image-builder/wordpress-prepend.render.ts). */
async function signInHere(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { login }: SignInToWordpress
): Promise<WordpressSignIn> {
  const project = await getOwnSite(deps.db, projectId, userId)
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest('hex')
  const request = { action: 'sign-in', login: login ?? null, hash, seconds: validSeconds } as const
  const Found = z.object({ login: Login, url: z.string().max(2000) })
  const found = valueOf(await scriptLimit.run(userId, () => askSite(deps, project, request, Found)))
  await recordAuditAlone(deps, origin, {
    action: 'wordpress.signed_in',
    actorId: userId,
    targetId: projectId,
    metadata: { login: found.login }
  })
  const url = signInUrl(found.url, await hostnamesOf(deps, project), siteHostname(deps.config, project), token)
  return { login: found.login, url, expiresAt: new Date(deps.now().getTime() + validSeconds * 1000).toISOString() }
}

async function hostnamesOf({ db }: Pick<Dependencies, 'db'>, { id }: ProjectRow): Promise<string[]> {
  const routes = await listProjectRoutes(db, [id])
  return [...(await listHostnames(db, id)), ...routes.map(({ hostname }) => hostname)]
}

export const resetPassword = workerVerb('wordpress.resetPassword', [Origin, Id, Id, WordpressLogin], resetHere, {
  isSecret: true
})

async function resetHere(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  login: string
): Promise<WordpressPassword> {
  const project = await getOwnSite(deps.db, projectId, userId)
  const password = randomBytes(18).toString('base64url')
  const request = { action: 'set-password', login, password } as const
  const found = valueOf(
    await scriptLimit.run(userId, () => askSite(deps, project, request, z.object({ login: Login })))
  )
  await recordAuditAlone(deps, origin, {
    action: 'wordpress.password_reset',
    actorId: userId,
    targetId: projectId,
    metadata: { login: found.login }
  })
  return { login: found.login, password }
}
