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
        summary: 'Find what is yours by a part of its name',
        description:
          'Projects, domains, databases and mailboxes of your own; for an ADMIN also all accounts, for a RESELLER those below it. The types stand one ' +
          'after the other, each in the order of how well its names fit.',
        querystring: SearchQuery,
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: SearchResults }
      }
    },
    async (request) => ({ results: await searchEverything(deps, sessionOf(request).userId, request.query) })
  )
}
