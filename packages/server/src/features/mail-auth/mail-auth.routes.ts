import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { MailAuthCheckResult, MailAuthStatusResponse, MailDomainList, MailDomainQuery } from '@panel/contract/mail-auth'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { listMailDomains } from './mail-domains.service.ts'
import { checkMailAuth, provisionMailAuth } from './provisioning.service.ts'

const config = { access: sessionAccess }
// They wait for resolvers, the name server and the signer.
const slowConfig = { ...config, admission: 'apart' } as const
const tags = ['Mail']
const params = z.object({ domainId: Id })
const refusals = ['INVALID_TARGET', 'ACCOUNT_SUSPENDED', 'CONFLICT', 'DOMAIN_NOT_ACTIVE', 'MAIL_UNAVAILABLE'] as const

export function mailAuthRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/domains',
    {
      config,
      schema: {
        tags,
        operationId: 'listMailDomains',
        summary: 'List your domains that have mail, with their deliverability score',
        description:
          'Those that have, or had, a mailbox or an alias, by name. The score counts records that are there: 25 points each for SPF, DKIM, DMARC ' +
          'and MX. Of a domain whose DNS is managed here these are the records of its zone; of any other, what the public DNS said when it was ' +
          'last looked at (`checkedAt`), which is done once a day.',
        querystring: MailDomainQuery,
        response: { 200: MailDomainList }
      }
    },
    async (request) => listMailDomains(deps, sessionOf(request).userId, request.query)
  )
  app.post(
    '/api/mail/auth/:domainId/regenerate',
    {
      config: slowConfig,
      schema: {
        tags,
        operationId: 'regenerateMailAuth',
        summary: 'Make what is missing of a domain’s mail records: SPF, DKIM, DMARC, MX',
        description:
          'Safe to repeat: what is there is neither changed nor doubled, also where it is somebody else’s. The first mailbox of a domain does ' +
          'this by itself. Of a domain whose DNS is elsewhere only the key is made, and `requiredRecords` says what to add there. With the MX ' +
          'record comes the address that it leads to, `mail.<domain>`.',
        params,
        errors: [...refusals, 'DNS_RECORD_LIMIT'],
        response: { 200: MailAuthStatusResponse }
      }
    },
    async (request) => provisionMailAuth(deps, request, sessionOf(request).userId, request.params.domainId)
  )
  app.post(
    '/api/mail/auth/:domainId/check',
    {
      config: slowConfig,
      schema: {
        tags,
        operationId: 'checkMailAuth',
        summary: 'Look up the mail records of a domain whose DNS is elsewhere, and the reputation of this server',
        description:
          'At the resolvers of DNS_RESOLVERS; what one of them sees counts. Any valid SPF, DMARC and MX record passes; DKIM must carry the key that ' +
          'was made here. Of a domain whose DNS is managed here nobody is asked about records. With PANEL_MOCK_DNS=true all is found. `server` says of each public ' +
          'address of this server whether its name leads back to it and which blocklist has it; all accounts share that answer for some minutes.',
        params,
        errors: [...refusals, 'DNS_RECORD_LIMIT', 'BUSY'],
        response: { 200: MailAuthCheckResult }
      }
    },
    async (request) => checkMailAuth(deps, request, sessionOf(request).userId, request.params.domainId)
  )
}
