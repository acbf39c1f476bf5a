import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { ClientSettings } from '@panel/contract/mail-clients'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { attachment } from '../../http/content-disposition.ts'
import { makeAppleProfile, showClientSettings } from './client-settings.service.ts'

const config = { access: sessionAccess }
const tags = ['Mail']
const params = z.object({ id: Id })
const errors = ['MAIL_UNAVAILABLE'] as const

export function clientSettingsRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mailboxes/:id/client-settings',
    {
      config,
      schema: {
        tags,
        operationId: 'getMailClientSettings',
        summary: 'Show the mail client settings of a mailbox: hosts, ports, TLS, username',
        description:
          'Clients with autodiscovery find the same settings. The host is `mail.<domain>`, or a name of the server itself if only that name ' +
          'has a trusted certificate.',
        params,
        errors,
        response: { 200: ClientSettings }
      }
    },
    async (request) => showClientSettings(deps, sessionOf(request).userId, request.params.id)
  )
  app.get(
    '/api/mailboxes/:id/apple-profile',
    {
      config,
      schema: {
        tags,
        operationId: 'getAppleMailProfile',
        summary: 'Download a configuration profile for iPhone, iPad and Mac',
        description: 'The profile is unsigned and contains no password; the device asks for it.',
        params,
        errors,
        answerHeaders: ['Content-Disposition'],
        response: {
          200: {
            description: 'The profile (XML property list)',
            content: { 'application/x-apple-aspen-config': { schema: z.string() } }
          }
        }
      }
    },
    async (request, reply) => {
      const { address, profile } = await makeAppleProfile(deps, sessionOf(request).userId, request.params.id)
      return reply
        .header('Content-Disposition', attachment(`${address}.mobileconfig`))
        .type('application/x-apple-aspen-config')
        .send(profile)
    }
  )
}
