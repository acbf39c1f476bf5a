import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /**
     * API requests of the loader without search parameters, as literals: first-requests.plugin.ts starts them beside
     * the program, with `$name` from the path.
     */
    asks?: readonly string[]
  }
}

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })
