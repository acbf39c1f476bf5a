import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { SpamSettings, UpdateSpamSettings } from '@panel/contract/mail-spam'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { getSpamSettings, updateSpamSettings } from './mail-spam.service.ts'

const config = { access: sessionAccess }
const tags = ['Mail']
const params = z.object({ domainId: Id.meta({ description: 'The domain.' }) })

export function mailSpamRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/spam/:domainId',
    {
      config,
      schema: {
        tags,
        operationId: 'getSpamSettings',
        summary: 'Show the spam filter settings of a domain',
        description: 'Returns the defaults if the domain has no settings.',
        params,
        response: { 200: SpamSettings }
      }
    },
    async (request) => getSpamSettings(deps, sessionOf(request).userId, request.params.domainId)
  )
  app.patch(
    '/api/mail/spam/:domainId',
    {
      config: { ...config, admission: 'apart' },
      schema: {
        tags,
        operationId: 'updateSpamSettings',
        summary: 'Change the spam filter settings of a domain',
        description:
          'Omitted members are unchanged. Takes effect with the next message. A message for several domains is rejected only if each of them rejects it, ' +
          'and goes to Junk if any of them files it there. Moving mail into or out of Junk trains the filter for this domain only.',
        params,
        body: UpdateSpamSettings,
        errors: ['INVALID_TARGET', 'ACCOUNT_SUSPENDED', 'CONFLICT', 'DOMAIN_NOT_ACTIVE', 'MAIL_UNAVAILABLE'],
        response: { 200: SpamSettings }
      }
    },
    async (request) =>
      updateSpamSettings(deps, request, sessionOf(request).userId, request.params.domainId, request.body)
  )
}
