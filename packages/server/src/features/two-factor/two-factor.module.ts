import { feature } from '../feature.ts'
import { twoFactorRoutes } from './two-factor.routes.ts'

export const twoFactor = feature({ name: 'two-factor', routes: [twoFactorRoutes] })
