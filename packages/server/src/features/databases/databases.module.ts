import { databaseDirectories } from '../../process/paths.ts'
import { feature } from '../feature.ts'
import { refreshConnections } from './connection-refresh.service.ts'
import { databaseAdminRoutes } from './database-admin.routes.ts'
import { reconcileAccountLimits } from './account-limits.reconcile.ts'
import { getOwnDatabase } from './database-access.ts'
import { measureDatabases } from './database-disk.service.ts'
import { reconcileDatabases } from './database-recovery.reconcile.ts'
import { countDatabases, markDatabasesDeleting, unlinkDatabases } from './databases.repository.ts'
import { databaseFigures, databaseMetrics } from './databases.metrics.ts'
import { referenceValues } from './reference-values.service.ts'
import { databaseRoutes } from './databases.routes.ts'

export const databases = feature({
  name: 'databases',
  routes: [databaseRoutes, databaseAdminRoutes],
  owners: { '/api/databases/:id': ({ db }, userId, { id }) => getOwnDatabase(db, id!, userId) },
  quotas: { maxDatabases: { noun: 'databases', count: countDatabases } },
  metrics: [databaseMetrics],
  figures: [databaseFigures],
  diskPlaces: ({ config }) => databaseDirectories(config).map((path) => ({ kind: 'DATABASES', path })),
  diskUsage: { kind: 'DATABASES', measure: measureDatabases },
  account: {
    holdings: async (trx, userId) =>
      (await countDatabases(trx, [userId])).has(userId) ? { inWords: 'databases' } : {},
    deleted: async (deps, trx, userId) => markDatabasesDeleting(trx, userId, deps.now())
  },
  project: {
    starting: refreshConnections,
    values: referenceValues,
    deleted: (deps, trx, { id }) => unlinkDatabases(trx, id, deps.now())
  },
  reconcile: [
    { name: 'databases', on: { tables: ['databases'] }, run: reconcileDatabases },
    { name: 'database limits', on: {}, run: reconcileAccountLimits }
  ]
})
