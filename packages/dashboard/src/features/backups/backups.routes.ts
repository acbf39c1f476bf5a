import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn, type RawSearch } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { mailboxRoute } from '../mailboxes/mailboxes.routes.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import {
  type BackupSearch,
  mailboxBackupsQuery,
  mailboxRestoresQuery,
  projectBackupsQuery,
  projectSettingsQuery,
  restoresQuery,
  scheduleQuery,
  serverBackupsQuery,
  targetsQuery
} from './backups.queries.ts'

const validateSearch = ({ page }: RawSearch): BackupSearch => ({ page: pageIn(page) })

const ofServer = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/backups',
  validateSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(targetsQuery)
    void queryClient.prefetchQuery(scheduleQuery)
    void queryClient.prefetchQuery(serverBackupsQuery(deps))
  },
  component: lazyRouteComponent(() => import('./server-backups-page.tsx'), 'ServerBackupsPage')
})

const ofProject = createRoute({
  getParentRoute: () => projectRoute,
  path: 'backups',
  validateSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { projectId }, deps }) => {
    void queryClient.prefetchQuery(projectBackupsQuery(projectId, deps))
    void queryClient.prefetchQuery(restoresQuery(projectId))
    void queryClient.prefetchQuery(projectSettingsQuery(projectId))
  },
  component: lazyRouteComponent(() => import('./project-backups-tab.tsx'), 'ProjectBackupsTab')
})

const ofMailbox = createRoute({
  getParentRoute: () => mailboxRoute,
  path: 'backups',
  loader: ({ context: { queryClient }, params: { mailboxId } }) => {
    void queryClient.prefetchQuery(mailboxBackupsQuery(mailboxId))
    void queryClient.prefetchQuery(mailboxRestoresQuery(mailboxId))
  },
  component: lazyRouteComponent(() => import('./mailbox-backups-tab.tsx'), 'MailboxBackupsTab')
})

export const backupRoutes = [ofServer] as const
export const projectBackupRoutes = [ofProject] as const
export const mailboxBackupRoutes = [ofMailbox] as const
