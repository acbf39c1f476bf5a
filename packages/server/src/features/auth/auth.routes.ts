import { AuthConfig, ChangePassword, Login, Register } from '@panel/contract/auth'
import { Message } from '@panel/contract/common'
import { User } from '@panel/contract/users'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, sessionAccess, sessionOf } from '../../http/access.ts'
import { errorResponses } from '../../http/openapi.ts'
import { endSession, startSession } from '../../http/session.ts'
import { userView } from '../users/user-view.ts'
import { changePassword, getCurrentUser, isRegistrationOpen, login, register } from './auth.service.ts'

const limited = { access: publicAccess, rateLimited: true }
const tags = ['Authentication']

export function authRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/auth/register',
    {
      config: limited,
      schema: {
        tags,
        summary: 'Create an account and sign in',
        body: Register,
        response: { 201: User, ...errorResponses }
      }
    },
    async (request, reply) => {
      const user = await register(deps, request.body)
      await startSession(deps, request, reply, user.id)
      return reply.code(201).send(userView(user))
    }
  )
  app.post(
    '/api/auth/login',
    { config: limited, schema: { tags, summary: 'Sign in', body: Login, response: { 200: User, ...errorResponses } } },
    async (request, reply) => {
      const user = await login(deps, request.body)
      await startSession(deps, request, reply, user.id)
      return userView(user)
    }
  )
  app.post(
    '/api/auth/logout',
    {
      config: { access: sessionAccess },
      schema: { tags, summary: 'End this session', response: { 200: Message, ...errorResponses } }
    },
    async (request, reply) => {
      await endSession(deps, request, reply)
      return { message: 'Signed out' }
    }
  )
  app.get(
    '/api/auth/me',
    {
      config: { access: sessionAccess },
      schema: { tags, summary: 'The signed-in user', response: { 200: User, ...errorResponses } }
    },
    async (request) => userView(await getCurrentUser(deps, sessionOf(request)))
  )
  app.get(
    '/api/auth/config',
    {
      config: { access: publicAccess },
      schema: { tags, summary: 'What a sign-in page needs to know', response: { 200: AuthConfig, ...errorResponses } }
    },
    async () => ({ requireAdmin2FA: deps.config.REQUIRE_ADMIN_2FA, allowRegistration: await isRegistrationOpen(deps) })
  )
  app.post(
    '/api/auth/change-password',
    {
      config: { access: sessionAccess, rateLimited: true },
      schema: {
        tags,
        summary: 'Change the password; ends the other sessions',
        body: ChangePassword,
        response: { 200: Message, ...errorResponses }
      }
    },
    async (request) => {
      await changePassword(deps, sessionOf(request), request.body)
      return { message: 'Password changed; other sessions are signed out' }
    }
  )
}
