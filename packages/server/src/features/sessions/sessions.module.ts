import { feature } from '../feature.ts'
import { sessionRoutes } from './sessions.routes.ts'

export const sessions = feature({ name: 'sessions', routes: [sessionRoutes] })
