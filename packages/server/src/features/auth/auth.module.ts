import { feature } from '../feature.ts'
import { authRoutes } from './auth.routes.ts'

export const auth = feature({ name: 'auth', routes: [authRoutes] })
