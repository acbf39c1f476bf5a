import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/signed-in.ts'
import { sftpQuery } from './sftp.queries.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sftp',
  staticData: { parts: ['sftpServer'], asks: ['/api/sftp'] },
  loader: ({ context }) => void context.queryClient.prefetchQuery(sftpQuery),
  component: lazyRouteComponent(() => import('./sftp-page.tsx'), 'SftpPage')
})

export const sftpRoutes = [page] as const
