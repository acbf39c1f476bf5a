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
        summary: 'Which of your certificates need you',
        description:
          'Evaluates all of them. EXPIRED and EXPIRING_SOON (7 days) follow from the time that is left, also while a renewal runs; ' +
          'RENEWAL_FAILING from the second failure in a row, of which the owner has a mail too; ISSUANCE_FAILED where there is nothing to serve.',
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
          'PENDING while one is ordered. `errorMessage` says why the last order failed, and `nextRenewalAt` when the next comes; one that is served ' +
          'goes on being served meanwhile.',
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
        summary: 'Have a certificate issued',
        description:
          'For the host name alone. 202 while the certificate authority is asked (status PENDING, then ACTIVE, or ERROR with errorMessage); ' +
          '200 with a self-signed one, of 90 days, for names below .localhost and in tests without ACME_DIRECTORY_URL. A wildcard is proved in ' +
          'its zone, so it takes dnsMode MANAGED; everything else over HTTP on port 80, and its addresses must lead here. What is served, also ' +
          'an uploaded one, stays until the new one is in. Paths of one host have one certificate: 409 CERTIFICATE_EXISTS names the domain. ' +
          'A name that is refused is tried again by itself three times (5 minutes, 1 hour, 6 hours), then only on request; a certificate ' +
          'authority that is away or limits us is tried again for as long as it takes. 429 while the name has had 5 failures in an hour, or 5 ' +
          'certificates in a week; while your account has had 20 failures in an hour, or 50 new certificates in 3 hours; and while all ' +
          'accounts together have had as many as the certificate authority allows. An account has one order under way at a time.',
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
        summary: 'Serve a certificate of your own',
        description:
          'Live at once, in place of what was served; an order under way is given up. The certificates may come in any order, with or without ' +
          'the root. It is served for the host name of the domain alone, whatever else it names, and not renewed here: see the alerts.',
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
          'What is served stays until the new one is in. By itself that happens when a third of the life is left, or up to a tenth earlier. ' +
          'An uploaded one cannot be renewed here: 409.',
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
        summary: 'Redirect to HTTPS, and renew by itself, or not',
        description:
          'forceHttps answers HTTP with 301, but for the path that certificate authorities ask; live at once. autoRenew off also ends the ' +
          'tries of an order that failed; it is without effect on an uploaded certificate.',
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
        summary: 'Remove the certificate and its key',
        description: 'The site goes on being served over HTTP. An order under way is given up.',
        params,
        errors: ['REVERSE_PROXY_UNAVAILABLE'],
        response: { 200: CertificateRemoved }
      }
    },
    async (request) => {
      const hostname = await removeCertificate(deps, request, sessionOf(request).userId, request.params.id)
      return { message: `${hostname} is served without a certificate of its own` }
    }
  )
  // The proxy leads this path here under every host name.
  app.get(
    '/.well-known/acme-challenge/:token',
    {
      config: { access: publicAccess },
      schema: {
        tags,
        operationId: 'getAcmeChallenge',
        summary: 'What a certificate authority asks for (RFC 8555, HTTP-01)',
        params: z.object({ token: z.string() }),
        response: {
          200: { description: 'The key authorization', content: { 'text/plain': { schema: z.string() } } }
        }
      }
    },
    async (request, reply) => {
      const answer = await findChallengeAnswer(deps, request.params.token)
      if (answer === undefined) throw new AppError('NOT_FOUND', 'No certificate authority was given this token')
      return reply.type('text/plain; charset=utf-8').send(answer)
    }
  )
}
