import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { domainRoute } from '../domains/domains.routes.ts'
import { rulesQuery } from './domain-rules.queries.ts'

const rules = createRoute({
  getParentRoute: () => domainRoute,
  path: 'rules',
  staticData: { asks: ['/api/domains/$domainId/rules'] },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(rulesQuery(params.domainId)),
  component: lazyRouteComponent(() => import('./rules-tab.tsx'), 'RulesTab')
})

export const domainRuleRoutes = [rules] as const
