import { feature } from '../feature.ts'
import { databaseAdminRoutes } from './database-admin.routes.ts'
import { reconcileDatabases } from './database-recovery.ts'
import { databaseRoutes } from './databases.routes.ts'

export const databases = feature({
  name: 'databases',
  routes: [databaseRoutes, databaseAdminRoutes],
  reconcile: [{ name: 'databases', on: { tables: ['databases'] }, run: reconcileDatabases }]
})
