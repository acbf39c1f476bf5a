import { feature } from '../feature.ts'
import { envVarRoutes } from './env-vars.routes.ts'

export const envVars = feature({ name: 'env-vars', routes: [envVarRoutes] })
