import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/signed-in.ts'
import { serverDiskQuery } from './server-disk.queries.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/disk',
  loader: ({ context }) => void context.queryClient.prefetchQuery(serverDiskQuery),
  component: lazyRouteComponent(() => import('./server-disk-page.tsx'), 'ServerDiskPage')
})

export const serverDiskRoutes = [page] as const
