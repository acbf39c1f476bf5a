import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import {
  aliasesQuery,
  deletedQuery,
  importsQuery,
  mailboxesQuery,
  mailboxQuery,
  mailOrders,
  type MailSearch,
  replyQuery
} from './mailboxes.queries.ts'

/** Parent of all mail lists, also of other features. */
export const mailRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/mail',
  component: lazyRouteComponent(() => import('./mail-page.tsx'), 'MailPage')
})

const validateSearch = ({ q, domain, order, page }: RawSearch): MailSearch => ({
  q: textIn(q),
  domain: textIn(domain),
  order: oneOf(mailOrders, order),
  page: pageIn(page)
})

const onlyPage = ({ page }: RawSearch): { page?: number | undefined } => ({ page: pageIn(page) })

const list = createRoute({
  getParentRoute: () => mailRoute,
  path: '/',
  staticData: { asks: ['/api/mailboxes?page=1&limit=25'] },
  validateSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(mailboxesQuery(deps)),
  component: lazyRouteComponent(() => import('./mailbox-list.tsx'), 'MailboxList')
})

const aliases = createRoute({
  getParentRoute: () => mailRoute,
  path: 'aliases',
  validateSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(aliasesQuery(deps)),
  component: lazyRouteComponent(() => import('./alias-list.tsx'), 'AliasList')
})

const deleted = createRoute({
  getParentRoute: () => mailRoute,
  path: 'deleted',
  validateSearch: onlyPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(deletedQuery(deps.page)),
  component: lazyRouteComponent(() => import('./deleted-list.tsx'), 'DeletedList')
})

export const mailboxRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/mail/$mailboxId',
  staticData: { asks: ['/api/mailboxes/$mailboxId'] },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(mailboxQuery(params.mailboxId)),
  component: lazyRouteComponent(() => import('./mailbox-page.tsx'), 'MailboxPage')
})

const overview = createRoute({
  getParentRoute: () => mailboxRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./mailbox-overview.tsx'), 'MailboxOverview')
})

const forwarding = createRoute({
  getParentRoute: () => mailboxRoute,
  path: 'forwarding',
  component: lazyRouteComponent(() => import('./forwarding-tab.tsx'), 'ForwardingTab')
})

const reply = createRoute({
  getParentRoute: () => mailboxRoute,
  path: 'reply',
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(replyQuery(params.mailboxId)),
  component: lazyRouteComponent(() => import('./reply-tab.tsx'), 'ReplyTab')
})

const imports = createRoute({
  getParentRoute: () => mailboxRoute,
  path: 'import',
  validateSearch: onlyPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    void context.queryClient.prefetchQuery(importsQuery(params.mailboxId, deps.page)),
  component: lazyRouteComponent(() => import('./import-tab.tsx'), 'ImportTab')
})

export const mailListRoutes = [list, aliases, deleted] as const
export const mailboxTabRoutes = [overview, forwarding, reply, imports] as const
