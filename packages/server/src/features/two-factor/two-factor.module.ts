import { feature } from '../feature.ts'
import { twoFactorOff } from './two-factor.attention.ts'
import { deleteRecoveryCodesOf } from './two-factor.repository.ts'
import { twoFactorRoutes } from './two-factor.routes.ts'

export const twoFactor = feature({
  name: 'two-factor',
  attention: [twoFactorOff],
  routes: [twoFactorRoutes],
  account: { deleted: async (_deps, trx, userId) => deleteRecoveryCodesOf(trx, userId) }
})
