import { z } from 'zod'
import {
  Certificate,
  CertificateAlerts,
  CertificateRemoved,
  CertificateSettings,
  UploadCertificate
} from '@panel/contract/certificates'
import { Id } from '@panel/contract/common'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { publicAccess, sessionAccess, sessionOf } from '../../http/access.ts'
import { listAlerts } from './alerts.service.ts'
import {
  changeSettings,
  getCertificate,
  provisionCertificate,
  removeCertificate,
  renewCertificate,
  uploadCertificate
} from './certificates.service.ts'
import { findChallengeAnswer } from './challenges.service.ts'

const config = { access: sessionAccess }
const tags = ['SSL certificates']
const params = z.object({ id: Id })
const issued = { 200: Certificate, 202: Certificate }
const statusOf = ({ status }: Certificate) => (status === 'PENDING' ? 202 : 200)

export function certificateRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/domains/ssl/alerts',
    {
      config,
      schema: {
        tags,
        operationId: 'listCertificateAlerts',
        summary: 'List certificate alerts',
        description:
          'Your certificates that need attention. EXPIRED and EXPIRING_SOON (7 days) depend on the remaining time only, also during a renewal. ' +
          'RENEWAL_FAILING starts with the second failure in a row, which also sends a notification. ISSUANCE_FAILED means there is nothing to serve.',
        response: { 200: CertificateAlerts }
      }
    },
    async (request) => listAlerts(deps, sessionOf(request).userId)
  )
  app.get(
    '/api/domains/:id/ssl',
    {
      config,
      schema: {
        tags,
        operationId: 'getCertificate',
        summary: 'Get the certificate',
        description:
          'PENDING while an order is in progress. `errorMessage` contains the reason of the last failure, `nextRenewalAt` the time of the next ' +
          'attempt. The current certificate is served until then.',
        params,
        response: { 200: Certificate }
      }
    },
    async (request) => getCertificate(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/domains/:id/ssl/provision',
    {
      config,
      schema: {
        tags,
        operationId: 'provisionCertificate',
        summary: 'Provision a certificate',
        description:
          'Covers the hostname only. 202 while the order is in progress (status PENDING, then ACTIVE, or ERROR with errorMessage); 200 with a ' +
          'self-signed certificate (90 days) for names below .localhost and in tests without ACME_DIRECTORY_URL. A wildcard is validated with ' +
          'dns-01 and requires dnsMode MANAGED; other names use http-01 on port 80, and their A and AAAA records must point to this server. The ' +
          'current certificate, even an uploaded one, is served until the new one is issued. Paths of one host share one certificate: 409 ' +
          'CERTIFICATE_EXISTS names the domain that has it. A refused order is retried three times (after 5 minutes, 1 hour and 6 hours), then ' +
          'only on request; if the certificate authority is unavailable or rate-limits this server, retries continue until it succeeds. 429 ' +
          'after 5 failures per hour or 5 certificates per week for a hostname, 20 failures per hour or 50 new certificates per 3 hours for your ' +
          "account, and when the server reaches the certificate authority's limits. Orders of one account run one at a time.",
        params,
        errors: [
          'DOMAIN_NOT_ACTIVE',
          'DNS_NOT_MANAGED',
          'CERTIFICATE_EXISTS',
          'CERTIFICATE_PENDING',
          'REVERSE_PROXY_UNAVAILABLE'
        ],
        response: issued
      }
    },
    async (request, reply) => {
      const certificate = await provisionCertificate(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(statusOf(certificate)).send(certificate)
    }
  )
  app.post(
    '/api/domains/:id/ssl/upload',
    {
      config,
      schema: {
        tags,
        operationId: 'uploadCertificate',
        summary: 'Upload a certificate',
        description:
          'Takes effect immediately and cancels an order in progress. The certificates may be in any order, with or without the root. The ' +
          "certificate is served for the domain's hostname only. Uploaded certificates are not renewed; expiry is reported in the alerts.",
        params,
        body: UploadCertificate,
        errors: [
          'CERTIFICATE_INVALID',
          'KEY_INVALID',
          'KEY_MISMATCH',
          'CHAIN_INVALID',
          'CERTIFICATE_EXPIRED',
          'CERTIFICATE_HOST_MISMATCH',
          'DOMAIN_NOT_ACTIVE',
          'CERTIFICATE_EXISTS',
          'REVERSE_PROXY_UNAVAILABLE'
        ],
        response: { 200: Certificate }
      }
    },
    async (request) => uploadCertificate(deps, request, sessionOf(request).userId, request.params.id, request.body)
  )
  app.post(
    '/api/domains/:id/ssl/renew',
    {
      config,
      schema: {
        tags,
        operationId: 'renewCertificate',
        summary: 'Renew the certificate now',
        description:
          'The current certificate is served until the new one is issued. Automatic renewal starts when a third of the lifetime is left, or up ' +
          'to a tenth of the lifetime earlier. 409 for uploaded certificates.',
        params,
        errors: [
          'DOMAIN_NOT_ACTIVE',
          'DNS_NOT_MANAGED',
          'CERTIFICATE_EXISTS',
          'CERTIFICATE_PENDING',
          'CERTIFICATE_NOT_RENEWABLE',
          'REVERSE_PROXY_UNAVAILABLE'
        ],
        response: issued
      }
    },
    async (request, reply) => {
      const certificate = await renewCertificate(deps, request, sessionOf(request).userId, request.params.id)
      return reply.code(statusOf(certificate)).send(certificate)
    }
  )
  app.patch(
    '/api/domains/:id/ssl/settings',
    {
      config,
      schema: {
        tags,
        operationId: 'updateCertificateSettings',
        summary: 'Update certificate settings',
        description:
          '`forceHttps` redirects HTTP with 301, except for ACME challenges, and takes effect immediately. Turning `autoRenew` off also stops ' +
          'retries of a failed order. It has no effect on uploaded certificates.',
        params,
        body: CertificateSettings,
        errors: ['REVERSE_PROXY_UNAVAILABLE'],
        response: { 200: Certificate }
      }
    },
    async (request) => changeSettings(deps, sessionOf(request).userId, request.params.id, request.body)
  )
  app.delete(
    '/api/domains/:id/ssl',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteCertificate',
        summary: 'Delete the certificate',
        description: 'Deletes certificate and key. The site stays available over HTTP. Cancels an order in progress.',
        params,
        errors: ['REVERSE_PROXY_UNAVAILABLE'],
        response: { 200: CertificateRemoved }
      }
    },
    async (request) => {
      const hostname = await removeCertificate(deps, request, sessionOf(request).userId, request.params.id)
      return { message: `Certificate for ${hostname} deleted` }
    }
  )
  // The proxy routes this path to the panel for every hostname.
  app.get(
    '/.well-known/acme-challenge/:token',
    {
      config: { access: publicAccess },
      schema: {
        tags,
        operationId: 'getAcmeChallenge',
        summary: 'Answer an ACME HTTP-01 challenge (RFC 8555)',
        params: z.object({ token: z.string() }),
        response: {
          200: { description: 'The key authorization', content: { 'text/plain': { schema: z.string() } } }
        }
      }
    },
    async (request, reply) => {
      const answer = await findChallengeAnswer(deps, request.params.token)
      if (answer === undefined) throw new AppError('NOT_FOUND', 'Unknown challenge token')
      return reply.type('text/plain; charset=utf-8').send(answer)
    }
  )
}
