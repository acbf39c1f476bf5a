import { SearchQuery, SearchResults } from '@panel/contract/search'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { searchEverything } from './search.service.ts'

export function searchRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/search',
    {
      config: { access: sessionAccess },
      schema: {
        tags: ['Overview'],
        operationId: 'search',
        summary: 'Search your resources by name',
        description:
          'Searches your projects, domains, databases and mailboxes; for an ADMIN also all accounts, for a RESELLER its sub-accounts. Results are ' +
          'grouped by type, best match first.',
        querystring: SearchQuery,
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: SearchResults }
      }
    },
    async (request) => ({ results: await searchEverything(deps, sessionOf(request).userId, request.query) })
  )
}
