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
        summary: 'Show what is done with spam to a domain',
        description: 'A domain that has set nothing has the defaults.',
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
        summary: 'Change what is done with spam to a domain',
        description:
          'What is not named stays. It counts from the next message on. A message for several domains is refused only where each of them refuses ' +
          'it, and goes to Junk where one of them would put it there. What is moved into Junk, or out of it, teaches the filter for this domain alone.',
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
