import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /**
     * What the loader asks of the API where the address has no search, as literals: asked for beside the program already
     * (first-requests.plugin.ts), with `$name` from the address.
     */
    asks?: readonly string[]
  }
}

/** Of all pages, whoever looks. */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })
