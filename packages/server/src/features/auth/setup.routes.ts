import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { publicAccess } from '../../http/access.ts'
import { anyUserExists } from '../users/account-access.ts'
import { setupPath } from './first-account.policy.ts'
import { setupPage, setupPagePolicy } from './setup-page.render.ts'

/** Nothing is there once there is an account. */
export function setupRoutes(app: App, deps: Dependencies): void {
  app.get(setupPath, { config: { access: publicAccess }, schema: { hide: true } }, async (_request, reply) => {
    if (await anyUserExists(deps.db)) throw new AppError('NOT_FOUND', 'There is nothing at this address')
    return reply.header('content-security-policy', setupPagePolicy).type('text/html; charset=utf-8').send(setupPage)
  })
}
