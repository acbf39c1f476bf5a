import { createRoute, redirect } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/signed-in.ts'

const overview = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects', replace: true })
  }
})

export const overviewRoutes = [overview] as const
