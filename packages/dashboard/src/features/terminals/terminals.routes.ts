import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../projects/projects.routes.ts'

const terminal = createRoute({
  getParentRoute: () => projectRoute,
  path: 'terminal',
  component: lazyRouteComponent(() => import('./terminal-tab.tsx'), 'TerminalTab')
})

export const terminalRoutes = [terminal] as const
