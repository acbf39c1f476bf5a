import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { MailAuthCheckResult, MailAuthStatusResponse, MailDomainList, MailDomainQuery } from '@panel/contract/mail-auth'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { listMailDomains } from './mail-domains.service.ts'
import { checkMailAuth, provisionMailAuth } from './provisioning.service.ts'

const config = { access: sessionAccess }
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
        summary: 'List your mail domains with their deliverability score',
        description:
          'Domains that have, or had, a mailbox or an alias, by name. The score is 25 points each for valid SPF, DKIM, DMARC ' +
          'and MX records. With managed DNS it is computed from the zone; with external DNS from the last lookup in public DNS ' +
          '(`checkedAt`), which runs daily.',
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
        summary: 'Create the missing mail records of a domain: SPF, DKIM, DMARC, MX',
        description:
          'Idempotent: existing records are neither changed nor duplicated, even if they were not created here. Runs automatically with the first ' +
          'mailbox of a domain. With external DNS only the DKIM key is created; `requiredRecords` lists the records to add at your DNS provider. ' +
          'The address record of the MX target, `mail.<domain>`, is created as well.',
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
        summary: 'Check the public mail records of a domain with external DNS, and the reputation of this server',
        description:
          'Queries the resolvers in DNS_RESOLVERS; a record counts if one of them returns it. Any valid SPF, DMARC and MX record passes; DKIM must publish ' +
          'the active key. With managed DNS the records are not looked up. With PANEL_MOCK_DNS=true all records are found. `server` has the reverse DNS and ' +
          'blocklist status of each public address of this server; it is cached for some minutes and shared by all accounts.',
        params,
        errors: [...refusals, 'DNS_RECORD_LIMIT', 'BUSY'],
        response: { 200: MailAuthCheckResult }
      }
    },
    async (request) => checkMailAuth(deps, request, sessionOf(request).userId, request.params.domainId)
  )
}
