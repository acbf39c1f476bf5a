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
        summary: 'Ask for a link by mail; answers alike whether or not there is such an account',
        description: 'The link is good for 30 minutes and for one use.',
        body: ForgotPassword,
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: Message }
      }
    },
    async (request) => {
      const userAgent = request.headers['user-agent']?.slice(0, 500)
      await requestPasswordReset(deps, { email: request.body.email, ip: request.ip, userAgent })
      return { message: 'If there is an account with this address, a link is on its way to it' }
    }
  )
  app.post(
    '/api/auth/reset-password',
    {
      config,
      schema: {
        tags,
        operationId: 'resetPassword',
        summary: 'Set a new password by the link; ends all sessions and API tokens, two-factor stays',
        body: ResetPassword,
        errors: ['LINK_INVALID'],
        response: { 200: Message }
      }
    },
    async (request) => {
      await resetPassword(deps, request, request.body)
      return { message: 'Password changed; sign in with it' }
    }
  )
}
