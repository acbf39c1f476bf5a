import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch } from '../../routes/search.ts'
import { domainRoute } from '../domains/domains.routes.ts'
import type { ReportSearch } from './mail-auth.queries.ts'

const mail = createRoute({
  getParentRoute: () => domainRoute,
  path: 'mail',
  validateSearch: ({ result, page }: RawSearch): ReportSearch => ({
    result: oneOf(['pass', 'fail'], result),
    page: pageIn(page)
  }),
  component: lazyRouteComponent(() => import('./domain-mail-tab.tsx'), 'DomainMailTab')
})

export const mailAuthRoutes = [mail] as const
