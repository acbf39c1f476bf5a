import { createRoute, lazyRouteComponent, retainSearchParams } from '@tanstack/react-router'
import type { RawSearch } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { folderQuery } from './files.queries.ts'

interface FilesSearch {
  /** Id; undefined: the files of the project. */
  volume?: string | undefined
  path?: string | undefined
  open?: string | undefined
  q?: string | undefined
}

/** The router parses a folder named 2026 as a number. */
const pathIn = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) || undefined : undefined

const files = createRoute({
  getParentRoute: () => projectRoute,
  path: 'files',
  staticData: { parts: ['worker'] },
  validateSearch: ({ volume, path, open, q }: RawSearch): FilesSearch => ({
    volume: pathIn(volume),
    path: pathIn(path),
    open: pathIn(open),
    q: pathIn(q)
  }),
  // Links within a volume name only the path.
  search: { middlewares: [retainSearchParams<FilesSearch>(['volume'])] },
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps: { volume, path = '', open } }) => {
    if (open === undefined)
      void context.queryClient.prefetchInfiniteQuery(folderQuery(volume ?? params.projectId, path))
  },
  component: lazyRouteComponent(() => import('./files-tab.tsx'), 'FilesTab')
})

export const fileRoutes = [files] as const
