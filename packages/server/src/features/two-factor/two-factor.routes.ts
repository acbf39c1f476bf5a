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
        summary: 'Start the two-factor setup: create a secret',
        description:
          'Returns the secret as text and as a QR code for an authenticator app. Two-factor is enabled once `enableTwoFactor` gets a valid code. ' +
          'Calling it again replaces the secret.',
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
        summary: 'Enable two-factor; ends other sessions',
        description: 'Returns ten recovery codes. Each works once; they are shown only here.',
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
          'The challenge of `login` is valid for five minutes, five attempts and one sign-in. Each authenticator code and each recovery ' +
          'code works once.',
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
        summary: 'Disable two-factor; ends other sessions',
        description: 'Requires the password and an authenticator code or a recovery code.',
        body: DisableTwoFactor,
        errors: ['INVALID_CREDENTIALS', '2FA_INVALID_CODE', 'TWO_FACTOR_NOT_ENABLED'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await disableTwoFactor(deps, request, sessionOf(request), request.body)
      return { message: 'Two-factor disabled. Other sessions were signed out.' }
    }
  )
  app.post(
    '/api/auth/2fa/recovery-codes',
    {
      config: { access: sessionAccess, rateLimited: true, admission: 'apart' },
      schema: {
        tags,
        operationId: 'renewRecoveryCodes',
        summary: 'Replace the recovery codes with ten new ones',
        description:
          'Requires the password and an authenticator code or a recovery code. The new codes are shown only here.',
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
        summary: 'Disable two-factor of a user who lost access to it; ends all their sessions and API tokens',
        description: 'For an ADMIN. The account signs in with its password only until it sets up two-factor again.',
        params: z.object({ id: Id }),
        response: { 200: Message }
      }
    },
    async (request) => {
      await resetTwoFactor(deps, request, sessionOf(request).userId, request.params.id)
      return { message: 'Two-factor disabled for this user. Their sessions were ended.' }
    }
  )
}
