import { feature } from '../feature.ts'
import { settingsRoutes } from './settings.routes.ts'

export const settings = feature({ name: 'settings', routes: [settingsRoutes] })
