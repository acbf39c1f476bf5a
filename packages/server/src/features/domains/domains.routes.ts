import { z } from 'zod'
import { Id } from '@panel/contract/common'
import {
  CreateDomain,
  CreatedDomain,
  Domain,
  DomainList,
  DomainQuery,
  SubdomainQuery,
  UpdateDomain,
  VerifyQuery,
  VerifyResult
} from '@panel/contract/domains'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { pageLinks } from '../../http/page-links.ts'
import { changeDomain, createDomain, deleteDomain, getDomain, listDomains, listSubdomains } from './domains.service.ts'
import { verifyDomain } from './verification.service.ts'

const config = { access: sessionAccess }
const tags = ['Domains']
const params = z.object({ id: Id })

export function domainRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/domains',
    {
      config,
      schema: {
        tags,
        operationId: 'createDomain',
        summary: 'Add a domain',
        description:
          'Below a verified domain of yours it is ACTIVE at once; else it is PENDING until its TXT record is found. Several accounts may ' +
          'claim a name; the first that verifies it has it, and 409 HOSTNAME_EXISTS is for the others. The same host name may be added ' +
          'again with another pathPrefix: the longest prefix wins.',
        body: CreateDomain,
        errors: [
          'ACCOUNT_SUSPENDED',
          'QUOTA_EXCEEDED',
          'NOT_FOUND',
          'HOSTNAME_EXISTS',
          'HOSTNAME_RESERVED',
          'REVERSE_PROXY_UNAVAILABLE'
        ],
        response: { 201: CreatedDomain }
      }
    },
    async (request, reply) =>
      reply.code(201).send(await createDomain(deps, request, sessionOf(request).userId, request.body))
  )
  app.get(
    '/api/domains',
    {
      config: { ...config, compressed: true },
      schema: {
        tags,
        operationId: 'listDomains',
        summary: 'List your domains, newest first',
        description: 'A bare array; X-Total-Count and Link have the pages. Subdomains are listed like others.',
        querystring: DomainQuery,
        answerHeaders: ['X-Total-Count', 'Link'],
        response: { 200: DomainList }
      }
    },
    async (request, reply) => {
      const { domains, total } = await listDomains(deps, sessionOf(request).userId, request.query)
      return reply.headers(pageLinks(request, { ...request.query, total })).send(domains)
    }
  )
  app.get(
    '/api/domains/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getDomain',
        summary: 'Get a domain; until it is ACTIVE with what proves its ownership',
        description:
          'PENDING, or ERROR after a check that found nothing: `verificationInstructions` says which record to set. `verifyDomain` looks for it.',
        params,
        response: { 200: CreatedDomain }
      }
    },
    async (request) => getDomain(deps, sessionOf(request).userId, request.params.id)
  )
  app.get(
    '/api/domains/:id/subdomains',
    {
      config,
      schema: {
        tags,
        operationId: 'listSubdomains',
        summary: 'List the domains directly below, by name',
        params,
        querystring: SubdomainQuery,
        answerHeaders: ['X-Total-Count', 'Link'],
        response: { 200: DomainList }
      }
    },
    async (request, reply) => {
      const { userId } = sessionOf(request)
      const { domains, total } = await listSubdomains(deps, userId, request.params.id, request.query)
      return reply.headers(pageLinks(request, { ...request.query, total })).send(domains)
    }
  )
  app.patch(
    '/api/domains/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'updateDomain',
        summary: 'Point a domain at another project or path',
        description:
          'Live at once. `projectId: null` points it at no project: the name stays reserved and answers 404.',
        params,
        body: UpdateDomain,
        errors: ['HOSTNAME_EXISTS', 'REVERSE_PROXY_UNAVAILABLE'],
        response: { 200: Domain }
      }
    },
    async (request) => changeDomain(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.post(
    '/api/domains/:id/verify',
    {
      config,
      schema: {
        tags,
        operationId: 'verifyDomain',
        summary: 'Look for the TXT record that proves the ownership',
        description:
          'Asks every resolver of DNS_RESOLVERS; one that has the record suffices. A try that fails sets ERROR and can be repeated at once.',
        params,
        querystring: VerifyQuery,
        errors: ['CONFLICT', 'HOSTNAME_EXISTS', 'REVERSE_PROXY_UNAVAILABLE'],
        response: { 200: VerifyResult }
      }
    },
    async (request) => verifyDomain(deps, request, sessionOf(request).userId, request.params.id, request.query)
  )
  app.delete(
    '/api/domains/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteDomain',
        summary: 'Delete a domain and all below it, with routes, records and certificates',
        description: 'The host name is free for others at once, and what visitors get there is the panel’s plain page.',
        params,
        errors: ['REVERSE_PROXY_UNAVAILABLE'],
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await deleteDomain(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(204).send(null)
    }
  )
}
