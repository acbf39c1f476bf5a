import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { InSlices } from '../ui/in-slices.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /**
     * API requests of the loader without search parameters, as literals: first-requests.plugin.ts starts them beside
     * the program, with `$name` from the path.
     */
    asks?: readonly string[]
  }
}

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  // The router renders a page that has loaded in one go.
  component: () => (
    <InSlices>
      <Outlet />
    </InSlices>
  )
})
