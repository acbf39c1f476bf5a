import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/site-check',
  validateSearch: ({ host }: RawSearch): { host?: string | undefined } => ({ host: textIn(host) }),
  component: lazyRouteComponent(() => import('./explain-page.tsx'), 'ExplainPage')
})

export const explainRoutes = [page] as const
