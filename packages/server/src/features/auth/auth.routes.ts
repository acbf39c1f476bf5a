import { AuthConfig, ChangePassword, Confirm, Confirmed, Login, Register } from '@panel/contract/auth'
import { Message } from '@panel/contract/common'
import { LoginChallenge } from '@panel/contract/two-factor'
import { User } from '@panel/contract/users'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, sessionAccess, sessionOf } from '../../http/access.ts'
import { isLocalRequest } from '../../http/local-request.ts'
import { clearSessionCookie, sessionTokensOf, setSessionCookie } from '../../http/session.ts'
import { endSessionsByToken } from '../sessions/live-sessions.service.ts'
import { getCurrentUser } from '../users/account-access.ts'
import { userView } from '../users/user-view.ts'
import {
  changePassword,
  confirm,
  isRegistrationOpen,
  login,
  logout,
  register,
  requireRegistration
} from './auth.service.ts'

const limited = { access: publicAccess, rateLimited: true, admission: 'apart' } as const
const tags = ['Authentication']

export function authRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/auth/register',
    {
      config: limited,
      // Before body validation, so that closed registration is reported whatever the body contains.
      onRequest: () => requireRegistration(deps),
      schema: {
        tags,
        operationId: 'register',
        summary: 'Create an account and sign in',
        description:
          'Creates an account with the role USER and the default quotas, and signs it in. The first account of a panel becomes its ADMIN, ' +
          'regardless of ALLOW_REGISTRATION; from another machine it requires the `setupToken` of the link that `./panel up` prints.',
        body: Register,
        errors: ['REGISTRATION_DISABLED', 'SETUP_TOKEN_REQUIRED', 'EMAIL_EXISTS'],
        answerHeaders: ['Set-Cookie'],
        response: { 201: User }
      }
    },
    async (request, reply) => {
      const { user, sessionToken } = await register(deps, request, request.body, isLocalRequest(request))
      await endSessionsByToken(deps, sessionTokensOf(deps, request))
      setSessionCookie(deps, request, reply, sessionToken)
      return reply.code(201).send(userView(user))
    }
  )
  app.post(
    '/api/auth/login',
    {
      config: limited,
      schema: {
        tags,
        operationId: 'login',
        summary: 'Sign in; with two-factor, 202 and a challenge instead of the cookie',
        description:
          'An unknown address and a wrong password get the same response in the same time. If the account has two-factor, the response is 202 without a ' +
          'session: pass its `challengeToken`, valid for five minutes, to `answerLoginChallenge`. After several wrong passwords, sign-ins from ' +
          'locations where the account has not signed in before are delayed.',
        body: Login,
        errors: ['INVALID_CREDENTIALS', 'ADMIN_2FA_REQUIRED', 'ACCOUNT_SUSPENDED'],
        answerHeaders: ['Set-Cookie'],
        response: { 200: User, 202: LoginChallenge }
      }
    },
    async (request, reply) => {
      const result = await login(deps, request, request.body)
      if ('challengeToken' in result) {
        return reply.code(202).send({ requires2FA: true as const, challengeToken: result.challengeToken })
      }
      await endSessionsByToken(deps, sessionTokensOf(deps, request))
      setSessionCookie(deps, request, reply, result.sessionToken)
      return userView(result.user)
    }
  )
  app.post(
    '/api/auth/logout',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'logout',
        summary: 'Sign out: end this session',
        description: 'The cookie is invalid at once. Other sessions and API tokens stay valid.',
        answerHeaders: ['Set-Cookie'],
        response: { 200: Message }
      }
    },
    async (request, reply) => {
      await logout(deps, request, sessionOf(request))
      clearSessionCookie(deps, request, reply)
      return { message: 'Signed out' }
    }
  )
  app.get(
    '/api/auth/me',
    {
      config: { access: sessionAccess },
      schema: { tags, operationId: 'getCurrentUser', summary: 'The signed-in user', response: { 200: User } }
    },
    async (request) => userView(await getCurrentUser(deps, sessionOf(request)))
  )
  app.get(
    '/api/auth/config',
    {
      config: { access: publicAccess },
      schema: {
        tags,
        operationId: 'getAuthConfig',
        summary: 'Get what a sign-in page shows',
        description:
          'Whether registration is open, whether the panel can send email, and whether administrators need two-factor.',
        response: { 200: AuthConfig }
      }
    },
    async () => ({
      requireAdmin2FA: deps.config.REQUIRE_ADMIN_2FA,
      allowRegistration: await isRegistrationOpen(deps),
      sendsMail: deps.mailer.isConfigured()
    })
  )
  app.post(
    '/api/auth/change-password',
    {
      config: { access: sessionAccess, rateLimited: true, admission: 'apart' },
      schema: {
        tags,
        operationId: 'changePassword',
        summary: 'Change the password; ends other sessions and, by default, revokes API tokens',
        description: 'This session stays valid. API tokens are revoked unless `revokeTokens` is false.',
        body: ChangePassword,
        errors: ['INVALID_CREDENTIALS'],
        response: { 200: Message }
      }
    },
    async (request) => {
      const tokens = await changePassword(deps, request, sessionOf(request), request.body)
      const revoked = tokens > 0 ? `; ${tokens} API ${tokens === 1 ? 'token is' : 'tokens are'} revoked` : ''
      return { message: `Password changed; other sessions are signed out${revoked}` }
    }
  )
  app.post(
    '/api/auth/confirm',
    {
      config: { access: sessionAccess, rateLimited: true },
      schema: {
        tags,
        operationId: 'confirmIdentity',
        summary: 'Confirm your identity with your password, and a two-factor code if two-factor is on',
        description:
          'Allows for some minutes what otherwise returns 403 FRESH_AUTH_REQUIRED: setting up two-factor, creating or granting the roles ' +
          'ADMIN and RESELLER, and changing email addresses. A sign-in does the same.',
        body: Confirm,
        errors: ['INVALID_CREDENTIALS', '2FA_INVALID_CODE', 'ACCOUNT_SUSPENDED', 'FRESH_AUTH_REQUIRED'],
        response: { 200: Confirmed }
      }
    },
    async (request) => ({
      confirmedUntil: (await confirm(deps, request, sessionOf(request), request.body)).toISOString()
    })
  )
}
