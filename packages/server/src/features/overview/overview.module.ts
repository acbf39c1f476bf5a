import { feature } from '../feature.ts'
import { overviewRoutes } from './overview.routes.ts'

export const overview = feature({ name: 'overview', routes: [overviewRoutes] })
