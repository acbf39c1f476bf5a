import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type RawSearch, pageIn, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import type { AuditSearch } from './audit.queries.ts'

const timeIn = (value: unknown): string | undefined => {
  const text = textIn(value)
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined
}

const numberIn = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? Number(value) : undefined)

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/audit',
  validateSearch: ({ action, actor, target, from, to, page, d }: RawSearch): AuditSearch => ({
    action: textIn(action),
    actor: textIn(actor),
    target: textIn(target),
    from: timeIn(from),
    to: timeIn(to),
    page: pageIn(page),
    d: numberIn(d)
  }),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage')
})

export const auditRoutes = [list] as const
