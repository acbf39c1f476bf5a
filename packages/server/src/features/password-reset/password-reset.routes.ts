import { ForgotPassword, ResetPassword } from '@panel/contract/accounts'
import { Message } from '@panel/contract/common'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { publicAccess } from '../../http/access.ts'
import { requestPasswordReset, resetPassword } from './password-reset.service.ts'

const config = { access: publicAccess, rateLimited: true, admission: 'apart' } as const
const tags = ['Authentication']

export function passwordResetRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/auth/forgot-password',
    {
      config,
      schema: {
        tags,
        operationId: 'requestPasswordReset',
        summary: 'Request a link by email; the response does not show whether the account exists',
        description: 'The link is valid for 30 minutes and works once.',
        body: ForgotPassword,
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: Message }
      }
    },
    async (request) => {
      const userAgent = request.headers['user-agent']?.slice(0, 500)
      await requestPasswordReset(deps, { email: request.body.email, ip: request.ip, userAgent })
      return { message: 'If an account with this address exists, it receives a link by email' }
    }
  )
  app.post(
    '/api/auth/reset-password',
    {
      config,
      schema: {
        tags,
        operationId: 'resetPassword',
        summary: 'Set a new password with the link; ends all sessions and API tokens, keeps two-factor',
        body: ResetPassword,
        errors: ['LINK_INVALID'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await resetPassword(deps, request, request.body)
      return { message: 'Password changed. Sign in with the new one.' }
    }
  )
}
