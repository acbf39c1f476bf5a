import { feature } from '../feature.ts'
import { deleteRegistriesOf } from './registries.repository.ts'
import { getOwnRegistry } from './registries.service.ts'
import { registryRoutes } from './registries.routes.ts'

export const registries = feature({
  name: 'registries',
  routes: [registryRoutes],
  owners: { '/api/registries/:id': (deps, userId, { id }) => getOwnRegistry(deps, userId, id!) },
  // The row of the account remains, so a foreign key does not delete the secrets.
  account: { deleted: async (_deps, trx, userId) => void (await deleteRegistriesOf(trx, userId)) }
})
