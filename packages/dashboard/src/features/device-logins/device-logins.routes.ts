import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'

const device = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/device',
  validateSearch: ({ code }: RawSearch): { code?: string | undefined } => ({ code: textIn(code) }),
  component: lazyRouteComponent(() => import('./device-page.tsx'), 'DevicePage')
})

export const deviceLoginRoutes = [device] as const
