import { Message } from '@panel/contract/common'
import {
  AnswerDeviceLogin,
  DeviceLogin,
  DeviceToken,
  FindDeviceLogin,
  StartDeviceLogin,
  StartedDeviceLogin,
  TakeDeviceToken
} from '@panel/contract/device-logins'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, sessionAccess, sessionOf } from '../../http/access.ts'
import { requireFreshProof } from '../sessions/fresh-proof.policy.ts'
import { answerLogin, showDeviceLogin, startDeviceLogin, takeDeviceToken } from './device-logins.service.ts'

const tags = ['API tokens']
const base = '/api/auth/device'

export function deviceLoginRoutes(app: App, deps: Dependencies): void {
  app.post(
    base,
    {
      config: { access: publicAccess, rateLimited: true },
      schema: {
        tags,
        operationId: 'startDeviceLogin',
        summary: 'Ask for a token that a person confirms in the browser (RFC 8628)',
        description:
          'Show `userCode` and `verificationUri` to the user, who signs in there and confirms. Poll `POST /api/auth/device/token` meanwhile. The code expires after ten minutes.',
        body: StartDeviceLogin,
        errors: ['BUSY'],
        response: { 201: StartedDeviceLogin }
      }
    },
    async (request, reply) => reply.code(201).send(await startDeviceLogin(deps, request, request.body))
  )
  app.post(
    `${base}/find`,
    {
      config: { access: sessionAccess, rateLimited: true },
      schema: {
        tags,
        operationId: 'findDeviceLogin',
        summary: 'Show what a code asks for, before you confirm it',
        description: 'Codes are accepted in any case, with or without the dash. Attempts are limited per address.',
        body: FindDeviceLogin,
        errors: ['LINK_INVALID'],
        response: { 200: DeviceLogin }
      }
    },
    async (request) => showDeviceLogin(deps, request.body.userCode)
  )
  app.post(
    `${base}/answer`,
    {
      config: { access: sessionAccess, rateLimited: true },
      schema: {
        tags,
        operationId: 'answerDeviceLogin',
        summary: 'Confirm or deny a code',
        description: 'A code can be answered once. Requires that you signed in or confirmed your password recently.',
        body: AnswerDeviceLogin,
        errors: ['ACCOUNT_SUSPENDED', 'FRESH_AUTH_REQUIRED', 'LINK_INVALID'],
        response: { 200: Message }
      }
    },
    async (request) => {
      const session = sessionOf(request)
      requireFreshProof(session, deps.now())
      await answerLogin(deps, request, session.userId, request.body)
      return { message: request.body.approve ? 'Sign-in confirmed' : 'Sign-in denied' }
    }
  )
  app.post(
    `${base}/token`,
    {
      config: { access: publicAccess },
      schema: {
        tags,
        operationId: 'takeDeviceToken',
        summary: 'Get the token of a confirmed code, once',
        description:
          'PENDING until the user has answered; ask again after `intervalSeconds`. Only this response contains the token.',
        body: TakeDeviceToken,
        errors: ['LINK_INVALID', 'FORBIDDEN', 'ACCOUNT_SUSPENDED', 'CONFLICT', 'RATE_LIMITED'],
        response: { 200: DeviceToken }
      }
    },
    async (request) => takeDeviceToken(deps, request, request.body.deviceCode)
  )
}
