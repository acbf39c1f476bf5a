import type { Dependencies } from '../dependencies.ts'
import { listOpenCallers, openToken } from '../features/api-tokens/token-caller.service.ts'
import { listOpenSessions, openSession } from '../features/sessions/live-sessions.service.ts'
import { findGrant } from '../features/users/users.repository.ts'
import type { Credentials } from '../http/access.ts'

export const createCredentials = (
  deps: Pick<Dependencies, 'authLimiter' | 'config' | 'db' | 'now' | 'sessions'>
): Credentials => ({
  openSession: (token) => openSession(deps, token),
  openToken: (token, clientIp) => openToken(deps, token, clientIp),
  findGrant: (userId) => findGrant(deps.db, userId),
  async findOpen(ids) {
    const open = [...(await listOpenSessions(deps.db, ids, deps.now())), ...(await listOpenCallers(deps, ids))]
    return new Map(open.map((credential) => [credential.id, credential]))
  }
})
