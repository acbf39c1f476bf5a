import { feature } from '../feature.ts'
import { deleteRecoveryCodesOf } from './two-factor.repository.ts'
import { twoFactorRoutes } from './two-factor.routes.ts'

export const twoFactor = feature({
  name: 'two-factor',
  routes: [twoFactorRoutes],
  account: { deleted: async (_deps, trx, userId) => deleteRecoveryCodesOf(trx, userId) }
})
