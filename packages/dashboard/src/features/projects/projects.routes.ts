import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { projectGroups } from './project-state.ts'
import { builtTypes, type ProjectOrigin, projectOrigins } from './project-origins.ts'
import { projectQuery } from './project.queries.ts'
import { projectOrders, type ProjectSearch, projectsQuery } from './projects.queries.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set when the user submitted the repository URL; a link from another site cannot set it. */
    isRequested?: boolean
  }
}

interface NewProjectSearch {
  from?: ProjectOrigin | undefined
  url?: string | undefined
  branch?: string | undefined
  type?: (typeof builtTypes)[number] | undefined
  /** Root directory; '.' for the repository itself. */
  root?: string | undefined
  dockerfile?: string | undefined
  /** Project created for its deploy key. */
  project?: string | undefined
}

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects',
  staticData: { asks: ['/api/projects?page=1&limit=25'] },
  validateSearch: ({ q, page, state, order }: RawSearch): ProjectSearch => ({
    q: textIn(q),
    page: pageIn(page),
    state: oneOf(projectGroups, state),
    order: oneOf(projectOrders, order)
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(projectsQuery(deps)),
  component: lazyRouteComponent(() => import('./project-list-page.tsx'), 'ProjectListPage')
})

const create = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/new',
  validateSearch: ({ from, url, branch, type, root, dockerfile, project }: RawSearch): NewProjectSearch => ({
    from: oneOf(projectOrigins, from),
    url: textIn(url),
    branch: textIn(branch),
    type: oneOf(builtTypes, type),
    root: textIn(root),
    dockerfile: textIn(dockerfile),
    project: textIn(project)
  }),
  component: lazyRouteComponent(() => import('./new-project-page.tsx'), 'NewProjectPage')
})

/** Parent of all project pages, including those of other features. */
export const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$projectId',
  staticData: { parts: ['containerEngine'], asks: ['/api/projects/$projectId?secrets=false'] },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(projectQuery(params.projectId)),
  component: lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage')
})

const overview = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./project-overview-tab.tsx'), 'ProjectOverviewTab')
})

const settings = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings',
  validateSearch: ({ page }: RawSearch): { page?: number | undefined } => ({ page: pageIn(page) }),
  component: lazyRouteComponent(() => import('./project-settings-tab.tsx'), 'ProjectSettingsTab')
})

export const projectRoutes = [list, create] as const
export const projectTabRoutes = [overview, settings] as const
