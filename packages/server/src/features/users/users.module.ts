import { feature } from '../feature.ts'
import { userRoutes } from './users.routes.ts'

export const users = feature({ name: 'users', routes: [userRoutes] })
