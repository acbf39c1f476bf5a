import { Id, Message } from '@panel/contract/common'
import {
  DisableTwoFactor,
  RecoveryCodes,
  RenewRecoveryCodes,
  TwoFactorChallenge,
  TwoFactorSetup,
  VerifyTwoFactorSetup
} from '@panel/contract/two-factor'
import { User } from '@panel/contract/users'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess, requireRole, sessionAccess, sessionOf } from '../../http/access.ts'
import { sessionTokensOf, setSessionCookie } from '../../http/session.ts'
import { endSessionsByToken } from '../sessions/live-sessions.service.ts'
import { userView } from '../users/user-view.ts'
import { answerChallenge } from './challenge.service.ts'
import {
  disableTwoFactor,
  renewRecoveryCodes,
  resetTwoFactor,
  setUpTwoFactor,
  verifySetup
} from './two-factor.service.ts'

const tags = ['Two-factor']

export function twoFactorRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/auth/2fa/setup',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'setUpTwoFactor',
        summary: 'Make a secret; two-factor is on once verify-setup has seen a code of it',
        description:
          'The secret is there as text and as a picture for an authenticator app. Nothing changes at the sign-in until `enableTwoFactor` has seen a ' +
          'code of it; asking again makes another secret.',
        errors: ['FRESH_AUTH_REQUIRED', 'TWO_FACTOR_ENABLED'],
        response: { 200: TwoFactorSetup }
      }
    },
    async (request) => setUpTwoFactor(deps, sessionOf(request))
  )
  app.post(
    '/api/auth/2fa/verify-setup',
    {
      config: { access: sessionAccess, rateLimited: true, admission: 'apart' },
      schema: {
        tags,
        operationId: 'enableTwoFactor',
        summary: 'Turn two-factor on; ends the other sessions',
        description: 'Answers ten recovery codes, each for one use and shown this once.',
        body: VerifyTwoFactorSetup,
        errors: ['2FA_INVALID_CODE', 'TWO_FACTOR_ENABLED', 'TWO_FACTOR_NOT_ENABLED'],
        response: { 200: RecoveryCodes }
      }
    },
    async (request) => ({
      recoveryCodes: [...(await verifySetup(deps, request, sessionOf(request), request.body.code))]
    })
  )
  app.post(
    '/api/auth/2fa/challenge',
    {
      config: { access: publicAccess, rateLimited: true, admission: 'apart' },
      schema: {
        tags,
        operationId: 'answerLoginChallenge',
        summary: 'Sign in with the challenge of a login and a code, or a recovery code',
        description:
          'The challenge of `login` is good for five minutes, five tries and one sign-in. A code of the authenticator app is taken once; a recovery ' +
          'code is gone when it was taken.',
        body: TwoFactorChallenge,
        errors: ['2FA_INVALID_CODE'],
        answerHeaders: ['Set-Cookie'],
        response: { 200: User }
      }
    },
    async (request, reply) => {
      const { user, sessionToken } = await answerChallenge(deps, request, request.body)
      await endSessionsByToken(deps, sessionTokensOf(deps, request))
      setSessionCookie(deps, request, reply, sessionToken)
      return userView(user)
    }
  )
  app.post(
    '/api/auth/2fa/disable',
    {
      config: { access: sessionAccess, rateLimited: true, admission: 'apart' },
      schema: {
        tags,
        operationId: 'disableTwoFactor',
        summary: 'Turn two-factor off; ends the other sessions',
        description: 'Takes the password and a code of the app, or a recovery code.',
        body: DisableTwoFactor,
        errors: ['INVALID_CREDENTIALS', '2FA_INVALID_CODE', 'TWO_FACTOR_NOT_ENABLED'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await disableTwoFactor(deps, request, sessionOf(request), request.body)
      return { message: 'Two-factor is off; other sessions are signed out' }
    }
  )
  app.post(
    '/api/auth/2fa/recovery-codes',
    {
      config: { access: sessionAccess, rateLimited: true, admission: 'apart' },
      schema: {
        tags,
        operationId: 'renewRecoveryCodes',
        summary: 'Make ten new recovery codes; those of before open nothing any more',
        description: 'Takes the password and a code of the app, or a recovery code. The new ones are shown this once.',
        body: RenewRecoveryCodes,
        errors: ['INVALID_CREDENTIALS', '2FA_INVALID_CODE', 'TWO_FACTOR_NOT_ENABLED'],
        response: { 200: RecoveryCodes }
      }
    },
    async (request) => ({
      recoveryCodes: [...(await renewRecoveryCodes(deps, request, sessionOf(request), request.body))]
    })
  )
  app.post(
    '/api/users/:id/2fa/reset',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags,
        operationId: 'resetTwoFactor',
        summary: 'Reset two-factor of a user who lost it; ends all their sessions and API tokens',
        description: 'For an ADMIN: the account signs in with its password alone until it sets two-factor up again.',
        params: z.object({ id: Id }),
        response: { 200: Message }
      }
    },
    async (request) => {
      await resetTwoFactor(deps, request, sessionOf(request).userId, request.params.id)
      return { message: 'Two-factor is off for this user; they are signed out' }
    }
  )
}
