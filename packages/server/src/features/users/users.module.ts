import { feature } from '../feature.ts'
import { getVisibleAccount } from './account-access.ts'
import { userRoutes } from './users.routes.ts'

export const users = feature({
  name: 'users',
  routes: [userRoutes],
  owners: { '/api/users/:id': ({ db }, userId, { id }) => getVisibleAccount(db, userId, id!) }
})
