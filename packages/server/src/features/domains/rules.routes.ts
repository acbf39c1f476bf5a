import { Id } from '@panel/contract/common'
import { DomainRules, DomainRuleTest, DomainRuleTestQuery, SaveDomainRules } from '@panel/contract/domain-rules'
import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { getRules, saveDomainRules, testDomainRules } from './rules.service.ts'

const config = { access: sessionAccess }
const tags = ['Domains']
const params = z.object({ id: Id })

export function ruleRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/domains/:id/rules',
    {
      config,
      schema: {
        tags,
        operationId: 'getDomainRules',
        summary: 'Rules of a domain',
        description:
          'What the proxy does with requests before they reach the site. Passwords of logins are not returned.',
        params,
        response: { 200: DomainRules }
      }
    },
    async (request) => getRules(deps, sessionOf(request).userId, request.params.id)
  )
  app.put(
    '/api/domains/:id/rules',
    {
      config,
      schema: {
        tags,
        operationId: 'saveDomainRules',
        summary: 'Replace the rules of a domain',
        description:
          'Takes effect immediately, without a restart of the proxy. Applied in this order: response headers, ACCESS, MAINTENANCE, ' +
          'REDIRECT, LOGIN, REWRITE, MAX_BODY, TIMEOUT; of each kind, the first rule of the list that matches (REDIRECT and REWRITE ' +
          'count as one kind). The redirect to HTTPS comes before all of them. Challenges for certificates and the paths of mail ' +
          'autoconfiguration are not affected. 409 CONFLICT if `version` is outdated, 409 REDIRECT_LOOP if redirects between your ' +
          'domains would form a loop.',
        params,
        body: SaveDomainRules,
        errors: ['CONFLICT', 'DOMAIN_NOT_ACTIVE', 'QUOTA_EXCEEDED', 'REDIRECT_LOOP'],
        response: { 200: DomainRules }
      }
    },
    async (request) => {
      const { userId } = sessionOf(request)
      return saveDomainRules(deps, request, userId, request.params.id, request.body)
    }
  )
  app.get(
    '/api/domains/:id/rules/test',
    {
      config,
      schema: {
        tags,
        operationId: 'testDomainRules',
        summary: 'Find out which rules a URL meets',
        description:
          'Evaluates the saved rules; no request is sent. A LOGIN rule answers 401, as for a visitor without a password.',
        params,
        querystring: DomainRuleTestQuery,
        response: { 200: DomainRuleTest }
      }
    },
    async (request) => testDomainRules(deps, sessionOf(request).userId, request.params.id, request.query)
  )
}
