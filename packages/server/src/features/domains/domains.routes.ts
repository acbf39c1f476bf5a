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
          'ACTIVE immediately below one of your verified domains, otherwise PENDING until its TXT record is found. Several accounts may claim ' +
          'a hostname; the first to verify it gets it, the others get 409 HOSTNAME_EXISTS. You can add the same hostname again with another ' +
          'pathPrefix; the longest matching prefix wins.',
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
        summary: 'List your domains',
        description:
          'Newest first, including subdomains. A plain array; pagination is in the headers X-Total-Count and Link.',
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
        summary: 'Get a domain',
        description:
          'While PENDING, or ERROR after a failed check, `verificationInstructions` contains the TXT record to add. Then call `verifyDomain`.',
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
        summary: 'List direct subdomains',
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
        summary: 'Change the target of a domain',
        description:
          'Takes effect immediately. `projectId: null` detaches the project: the hostname stays reserved and answers 404.',
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
        summary: 'Verify a domain',
        description:
          'Queries all DNS_RESOLVERS for the TXT record; one that has it is enough. A failed check sets ERROR; you can retry immediately.',
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
        summary: 'Delete a domain and its subdomains',
        description:
          "Also deletes their routes, DNS records and certificates. The hostname becomes available to other accounts immediately; visitors see the panel's default page.",
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
