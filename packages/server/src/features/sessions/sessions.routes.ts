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
        summary: 'Make a link that continues this session at the panel domain',
        description:
          'For the moment when the panel gets its domain and certificate: the browser opens the link, and the session goes on over HTTPS. ' +
          'The link works once, within a minute.',
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
        summary: 'Continue a session by such a link',
        description: 'Sets the cookie of a new session and ends the one that the link was made in.',
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
        summary: 'Where you are signed in, the last used first',
        description: 'With the address and the program that each was last used from; `current` is the one that asks.',
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
        description:
          'It may be the session that asks, which is signed out then. API tokens are not sessions and go on.',
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
        summary: 'End your sessions but this one',
        description: 'The session that asks and all API tokens go on.',
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
        description: 'For an ADMIN. API tokens of the account go on: suspending it ends both.',
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
