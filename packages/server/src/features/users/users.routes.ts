import { z } from 'zod'
import {
  ChangePermissions,
  ChangeQuotas,
  ChangeRole,
  CreateUser,
  UpdatePreferences,
  UpdateUser,
  UsageSummary,
  UserList,
  UserQuery
} from '@panel/contract/accounts'
import { Id, Message } from '@panel/contract/common'
import { User } from '@panel/contract/users'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole, requireRoleOrPermission, sessionAccess, sessionOf } from '../../http/access.ts'
import { getVisibleAccount } from './account-access.ts'
import { changePermissions, changeQuotas, changeRole } from './account-rights.service.ts'
import { deleteAccount } from './account-deletion.service.ts'
import { resumeAccount, suspendAccount } from './account-status.service.ts'
import { updatePreferences } from './preferences.service.ts'
import { usageSummary } from './usage.service.ts'
import { createAccount, listAccounts, updateAccount } from './users.service.ts'
import { userView } from './user-view.ts'

const config = { access: sessionAccess }
const tags = ['Users']
const params = z.object({ id: Id })
const response = { 200: User }

export function userRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/users',
    {
      config: { ...config, compressed: true },
      schema: {
        tags,
        operationId: 'listUsers',
        summary:
          'List accounts with what they use: an ADMIN all, others themselves and those below them, on every level',
        description:
          'A RESELLER, and a USER with canCreateSubAccounts, sees the accounts that it made and those that these made.',
        querystring: UserQuery,
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: UserList }
      }
    },
    async (request) => listAccounts(deps, sessionOf(request).userId, request.query)
  )
  app.post(
    '/api/users',
    {
      config: { access: requireRoleOrPermission(['ADMIN', 'RESELLER'], 'canCreateSubAccounts'), admission: 'apart' },
      schema: {
        tags,
        operationId: 'createUser',
        summary: 'Create an account below yours; an ADMIN or RESELLER takes a session with a fresh proof',
        description: 'Without a password its person is invited by mail; 503 where this panel sends none.',
        body: CreateUser,
        errors: [
          'FORBIDDEN_ROLE',
          'ACCOUNT_SUSPENDED',
          'FRESH_AUTH_REQUIRED',
          'OVERSELL_NOT_ENABLED',
          'QUOTA_EXCEEDED',
          'EMAIL_EXISTS',
          'MAIL_UNAVAILABLE',
          'RATE_LIMITED'
        ],
        response: { 201: User }
      }
    },
    async (request, reply) =>
      reply.code(201).send(userView(await createAccount(deps, request, sessionOf(request), request.body)))
  )
  app.get(
    '/api/users/me/usage',
    {
      config,
      schema: {
        tags,
        operationId: 'getUsage',
        summary: 'What you use of your quotas; a RESELLER also what it allocates',
        description:
          'Counts what there is against each quota. Of a RESELLER also what it has given its accounts, used or not: without overselling that cannot ' +
          'be more than it has.',
        response: { 200: UsageSummary }
      }
    },
    async (request) => usageSummary(deps, sessionOf(request).userId)
  )
  app.patch(
    '/api/users/me',
    {
      config,
      schema: {
        tags,
        operationId: 'updatePreferences',
        summary: 'Change your own language, time zone and theme',
        description:
          'They go with the account to every browser. Null takes one back: the browser’s language, the server’s time zone.',
        body: UpdatePreferences,
        errors: ['ACCOUNT_SUSPENDED'],
        response
      }
    },
    async (request) => userView(await updatePreferences(deps, request, sessionOf(request).userId, request.body))
  )
  app.get(
    '/api/users/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getUser',
        summary: 'Get an account',
        params,
        errors: ['ACCOUNT_SUSPENDED'],
        response
      }
    },
    async (request) => userView(await getVisibleAccount(deps.db, sessionOf(request).userId, request.params.id))
  )
  app.get(
    '/api/users/:id/usage',
    {
      config,
      schema: {
        tags,
        operationId: 'getUsageOf',
        summary: 'What an account uses of its quotas: an ADMIN of any, others of themselves and those below them',
        description: 'As `getUsage`, of an account below; including what a reseller has allocated.',
        params,
        errors: ['ACCOUNT_SUSPENDED'],
        response: { 200: UsageSummary }
      }
    },
    async (request) => {
      const { id } = await getVisibleAccount(deps.db, sessionOf(request).userId, request.params.id)
      return usageSummary(deps, id)
    }
  )
  app.patch(
    '/api/users/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateUser',
        summary: 'Change the name; the e-mail address is changed by an ADMIN or the account above, with a fresh proof',
        description:
          'The name can be changed by the account itself, an account above it, or an ADMIN. Another address signs in from then on, and gets the links for ' +
          'a new password.',
        params,
        body: UpdateUser,
        errors: ['ACCOUNT_SUSPENDED', 'FRESH_AUTH_REQUIRED', 'EMAIL_EXISTS'],
        response
      }
    },
    async (request) => userView(await updateAccount(deps, request, sessionOf(request), request.params.id, request.body))
  )
  app.delete(
    '/api/users/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteUser',
        summary: 'Delete an account without sub-accounts; with ?projects=delete also its projects',
        description:
          'Refused while it has accounts below it, and while it has projects, domains, databases or mailboxes unless `?projects=delete`, with which ' +
          'all of it goes too. The last ADMIN stays. The address is free again at once; audit entries keep the id.',
        params,
        querystring: z.object({ projects: z.literal('delete').optional() }),
        errors: ['ACCOUNT_SUSPENDED', 'ACCOUNT_NOT_EMPTY', 'LAST_ADMIN'],
        response: { 200: Message }
      }
    },
    async (request) => {
      const withProjects = request.query.projects === 'delete'
      await deleteAccount(deps, request, sessionOf(request).userId, request.params.id, { withProjects })
      return { message: 'Account deleted' }
    }
  )
  app.post(
    '/api/users/:id/suspend',
    {
      config,
      schema: {
        tags,
        operationId: 'suspendUser',
        summary: 'Suspend an account: its tokens end and its sites stop',
        description:
          'Sign-in is blocked, sessions and tokens end, its containers stop and nothing is built. Data, certificates and records stay, and ' +
          'accounts below it go on.',
        params,
        errors: ['ACCOUNT_SUSPENDED', 'LAST_ADMIN'],
        response
      }
    },
    async (request) => userView(await suspendAccount(deps, request, sessionOf(request).userId, request.params.id))
  )
  app.post(
    '/api/users/:id/resume',
    {
      config,
      schema: {
        tags,
        operationId: 'resumeUser',
        summary: 'Resume an account; the sites that were stopped with it start',
        description:
          'What an ADMIN has suspended only an ADMIN resumes, and what an account further above suspended, only accounts at that level resume. Sessions and tokens that ended ' +
          'do not come back.',
        params,
        errors: ['ACCOUNT_SUSPENDED'],
        response
      }
    },
    async (request) => userView(await resumeAccount(deps, request, sessionOf(request).userId, request.params.id))
  )
  app.patch(
    '/api/users/:id/role',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags,
        operationId: 'changeRole',
        summary: 'Change the role; sessions go on. To ADMIN or RESELLER takes a session with a fresh proof.',
        description:
          'Rights count from the next request on, and sessions go on. Overselling is switched off by it. A RESELLER with sub-accounts does not become ' +
          'a USER, and the last ADMIN stays one. Granting ADMIN or RESELLER takes a fresh proof (`confirmIdentity`).',
        params,
        body: ChangeRole,
        errors: ['FORBIDDEN_ROLE', 'ACCOUNT_SUSPENDED', 'FRESH_AUTH_REQUIRED', 'ACCOUNT_NOT_EMPTY', 'LAST_ADMIN'],
        response
      }
    },
    async (request) =>
      userView(await changeRole(deps, request, sessionOf(request), request.params.id, request.body.role))
  )
  app.patch(
    '/api/users/:id/quotas',
    {
      config: { access: requireRole('ADMIN', 'RESELLER') },
      schema: {
        tags,
        operationId: 'changeQuotas',
        summary: 'Change quotas; null is unlimited. Overselling is switched by an ADMIN.',
        description:
          'Members that are left out stay. A quota may be less than what is used: nothing is taken away, and nothing more is made until it fits. What ' +
          'a RESELLER gives its accounts may not be more than it has itself (403 OVERSELL_NOT_ENABLED), unless overselling is on: then what they ' +
          'really use counts.',
        params,
        body: ChangeQuotas,
        errors: ['INVALID_TARGET', 'ACCOUNT_SUSPENDED', 'OVERSELL_NOT_ENABLED'],
        response
      }
    },
    async (request) =>
      userView(await changeQuotas(deps, request, sessionOf(request).userId, request.params.id, request.body))
  )
  app.patch(
    '/api/users/:id/permissions',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags,
        operationId: 'changePermissions',
        summary: 'Replace the permissions',
        description: 'For an ADMIN. What is not in the list is taken away.',
        params,
        body: ChangePermissions,
        errors: ['FORBIDDEN_ROLE', 'ACCOUNT_SUSPENDED'],
        response
      }
    },
    async (request) => {
      const { permissions } = request.body
      return userView(await changePermissions(deps, request, sessionOf(request).userId, request.params.id, permissions))
    }
  )
}
