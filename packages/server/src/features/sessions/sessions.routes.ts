import { Id, Message } from '@panel/contract/common'
import { SessionId, SessionList, SessionMove, SessionQuery, TakeSession } from '@panel/contract/sessions'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, requireRole, sessionAccess, sessionOf } from '../../http/access.ts'
import { clearSessionCookie, setSessionCookie } from '../../http/session.ts'
import { offerSessionMove, takeSession } from './session-move.service.ts'
import { endOtherSessions, endOwnSession, endSessionsOf, listOwnSessions } from './sessions.service.ts'

const tags = ['Sessions']

export function sessionRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/auth/session/move',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'offerSessionMove',
        summary: 'Create a link that continues this session at the panel domain',
        description:
          'For the setup of the panel domain and its certificate: open the link in the browser to continue the session over HTTPS. ' +
          'The link works once, for a minute.',
        errors: ['CONFLICT'],
        response: { 200: SessionMove }
      }
    },
    async (request) => offerSessionMove(deps, sessionOf(request))
  )
  app.post(
    '/api/auth/session/take',
    {
      config: { access: publicAccess, rateLimited: true },
      schema: {
        tags,
        operationId: 'takeSession',
        summary: 'Continue a session with such a link',
        description: 'Sets the cookie of a new session and ends the session that created the link.',
        body: TakeSession,
        errors: ['LINK_INVALID'],
        answerHeaders: ['Set-Cookie'],
        response: { 200: Message }
      }
    },
    async (request, reply) => {
      setSessionCookie(deps, request, reply, await takeSession(deps, request, request.body.token))
      return { message: 'Signed in' }
    }
  )
  app.get(
    '/api/auth/sessions',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'List your sessions, most recently used first',
        description:
          'With the address and client that each was last used from. `current` marks the session of this request.',
        querystring: SessionQuery,
        response: { 200: SessionList }
      }
    },
    async (request) => listOwnSessions(deps, sessionOf(request), request.query)
  )
  app.delete(
    '/api/auth/sessions/:id',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'revokeSession',
        summary: 'End one of your sessions',
        description: 'Ending the session of this request signs you out. API tokens stay valid.',
        params: z.object({ id: SessionId }),
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      const session = sessionOf(request)
      await endOwnSession(deps, request, session, request.params.id)
      if (request.params.id === session.id) clearSessionCookie(deps, request, reply)
      return reply.code(204).send(null)
    }
  )
  app.delete(
    '/api/auth/sessions',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'revokeOtherSessions',
        summary: 'End all your sessions except this one',
        description: 'This session and all API tokens stay valid.',
        response: { 200: Message }
      }
    },
    async (request) => ({ message: ended(await endOtherSessions(deps, request, sessionOf(request))) })
  )
  app.delete(
    '/api/users/:id/sessions',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags,
        operationId: 'revokeUserSessions',
        summary: 'End all sessions of a user',
        description: 'For an ADMIN. API tokens of the account stay valid; suspending the account ends both.',
        params: z.object({ id: Id }),
        response: { 200: Message }
      }
    },
    async (request) => ({
      message: ended(await endSessionsOf(deps, request, sessionOf(request).userId, request.params.id))
    })
  )
}

const ended = (count: number) => `${count} ${count === 1 ? 'session' : 'sessions'} ended`
