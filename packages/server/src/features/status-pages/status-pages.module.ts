import { feature } from '../feature.ts'
import { deletePage } from './status-pages.repository.ts'
import { statusPageRoutes } from './status-pages.routes.ts'

export const statusPages = feature({
  name: 'status-pages',
  routes: [statusPageRoutes],
  project: {
    // The project row remains, so a foreign key does not delete it.
    deleted: (_deps, trx, { id }) => deletePage(trx, id)
  }
})
