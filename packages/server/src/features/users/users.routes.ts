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
          'List accounts with their usage: for an ADMIN all, for others their own and all levels of sub-accounts',
        description: 'A RESELLER, and a USER with canCreateSubAccounts, sees its sub-accounts and theirs.',
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
        summary: 'Create a sub-account; for the roles ADMIN and RESELLER confirm your identity first',
        description: 'Without a password the user is invited by email; 503 if this panel cannot send email.',
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
        summary: 'Get your usage against your quotas; for a RESELLER also its allocation',
        description:
          'Usage per quota. For a RESELLER also what it has allocated to its sub-accounts, used or not: without overselling that cannot ' +
          'exceed its own quota.',
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
          'Stored with the account, for every browser. Null resets to the default: the browser’s language, the server’s time zone.',
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
        summary: 'Get the usage of an account: your own or a sub-account’s; for an ADMIN any',
        description: 'As `getUsage`, including what a reseller has allocated.',
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
        summary: 'Change the name or the email address of an account',
        description:
          'The account itself, its parent accounts and an ADMIN can change the name. Only a parent account or an ADMIN can change the email address, after ' +
          '`confirmIdentity`. The account then signs in with the new address and gets its password links there.',
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
          'Rejected while it has sub-accounts, and while it has projects, domains, databases or mailboxes unless `?projects=delete` deletes them ' +
          'too. The last ADMIN cannot be deleted. The email address can be used again at once; audit entries keep the id.',
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
        summary: 'Suspend an account: stops its sites, ends its sessions and tokens',
        description:
          'Sign-in is blocked, sessions and tokens end, its containers stop and nothing is built. Data, certificates and records stay, and ' +
          'its sub-accounts are not affected.',
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
        summary: 'Resume an account and start the sites that its suspension stopped',
        description:
          'Only an ADMIN can resume an account that an ADMIN suspended; otherwise the account that suspended it or one above that. Ended sessions and ' +
          'tokens are not restored.',
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
        summary: 'Change the role of an account',
        description:
          'Takes effect with the next request; sessions stay valid. Disables overselling. A RESELLER with sub-accounts cannot become ' +
          'a USER, and the last ADMIN keeps its role. Granting ADMIN or RESELLER requires `confirmIdentity`.',
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
        summary: 'Change the quotas of an account; null means unlimited',
        description:
          'Omitted members are unchanged. A quota can be below the usage: nothing is deleted, and nothing can be created until it fits. The quotas of ' +
          'the sub-accounts of a RESELLER together must not exceed its own (403 OVERSELL_NOT_ENABLED), unless an ADMIN enabled overselling: then ' +
          'their actual usage counts.',
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
        summary: 'Replace the permissions of an account',
        description: 'For an ADMIN. Permissions that are not in the list are removed.',
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
