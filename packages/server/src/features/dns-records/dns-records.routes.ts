import { z } from 'zod'
import { Id } from '@panel/contract/common'
import {
  CreateDnsRecord,
  DnsPropagation,
  DnsRecord,
  DnsRecordQuery,
  ImportPreview,
  ImportResult,
  ImportZone,
  UpdateDnsRecord
} from '@panel/contract/dns-records'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { pageLinks } from '../../http/page-links.ts'
import { sendJson, withMember } from '../../http/send-json.ts'
import {
  changeDnsRecord,
  createDefaultRecords,
  createDnsRecord,
  listDnsRecords,
  previewDefaultRecords,
  removeDnsRecord
} from './dns-records.service.ts'
import { checkPropagation } from './propagation.service.ts'
import { exportZone } from './zone-export.service.ts'
import { importZone } from './zone-import.service.ts'

const config = { access: sessionAccess }
// Changes are serialized per account (accountTransaction) and wait for the name server.
const changeConfig = { ...config, admission: 'apart' } as const
const largeConfig = { ...config, admission: 'large' } as const
const tags = ['DNS records']
const params = z.object({ id: Id })
const recordParams = z.object({ id: Id, recordId: Id })
// A zone file of 1 MiB; JSON may escape one character as six.
const importBodyLimit = 8 * 1024 * 1024

export function dnsRecordRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/domains/:id/dns',
    {
      config: { ...largeConfig, compressed: true },
      schema: {
        tags,
        operationId: 'listDnsRecords',
        summary: 'List DNS records',
        description:
          'Sorted by name in DNS order with the apex first, then by type; the verification record comes last. Returns all records, or one page ' +
          'with `page` or `limit`; `Link` and `X-Total-Count` contain the pagination. Like all of these operations, 409 DNS_NOT_MANAGED if the ' +
          "domain's DNS is not managed by this panel.",
        params,
        querystring: DnsRecordQuery,
        errors: ['DNS_NOT_MANAGED'],
        answerHeaders: ['X-Total-Count', 'Link'],
        response: { 200: z.array(DnsRecord) }
      }
    },
    async (request, reply) => {
      const { page, limit } = request.query
      const paged = page === undefined && limit === undefined ? undefined : { page: page ?? 1, limit: limit ?? 100 }
      const { records, total } = await listDnsRecords(deps, sessionOf(request).userId, request.params.id, paged)
      void reply.headers(pageLinks(request, { page: 1, limit: Math.max(1, total), ...paged, total }))
      return sendJson(reply, records)
    }
  )
  app.post(
    '/api/domains/:id/dns',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'createDnsRecord',
        summary: 'Create a DNS record',
        description:
          'The record is served when this call returns, or as soon as the name servers are available again. The TTL applies to all records of ' +
          'this name and type. 409 DNS_RECORD_EXISTS: the zone already contains this record, regardless of its TTL. DNS_RECORD_CONFLICT: it ' +
          'conflicts with another record of the zone. DNS_RECORD_LIMIT: the zone, with all domains in it, would exceed 10,000 records or 4 MiB ' +
          'of names and values plus 32 bytes per record.',
        params,
        body: CreateDnsRecord,
        errors: [
          'CONFLICT',
          'DNS_NOT_MANAGED',
          'DNS_RECORD_EXISTS',
          'DNS_RECORD_CONFLICT',
          'DNS_RECORD_LIMIT',
          'DNS_SERVER_UNAVAILABLE'
        ],
        response: { 201: DnsRecord }
      }
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await createDnsRecord(deps, request, sessionOf(request).userId, request.params.id, request.body))
  )
  app.get(
    '/api/domains/:id/dns/defaults',
    {
      config,
      schema: {
        tags,
        operationId: 'previewDefaultDnsRecords',
        summary: 'Preview default DNS records',
        description:
          'Records that POST would create (`added`), those that exist with the same name and type (`same`), and conflicts (`refused`).',
        params,
        errors: ['CONFLICT', 'DNS_NOT_MANAGED'],
        response: { 200: ImportPreview }
      }
    },
    async (request) => previewDefaultRecords(deps, sessionOf(request).userId, request.params.id)
  )
  app.post(
    '/api/domains/:id/dns/defaults',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'createDefaultDnsRecords',
        summary: 'Create missing default DNS records',
        description:
          'The A record for `@`, the CNAME for `www`, and the NS records of a zone. Skips a record if one of the same name and type exists, ' +
          'whatever its value, or if it conflicts with another record.',
        params,
        errors: [
          'CONFLICT',
          'DNS_NOT_MANAGED',
          'DNS_RECORD_EXISTS',
          'DNS_RECORD_CONFLICT',
          'DNS_RECORD_LIMIT',
          'DNS_SERVER_UNAVAILABLE'
        ],
        response: { 200: z.array(DnsRecord) }
      }
    },
    async (request, reply) => {
      const { json } = await createDefaultRecords(deps, request, sessionOf(request).userId, request.params.id)
      return sendJson(reply, json)
    }
  )
  app.patch(
    '/api/domains/:id/dns/:recordId',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'updateDnsRecord',
        summary: 'Update a DNS record',
        description:
          'Omitted members are unchanged. The type cannot be changed. A record that is renamed without a TTL takes the TTL of the existing ' +
          'records of its new name and type. The verification record cannot be changed (409 DNS_RECORD_CONFLICT).',
        params: recordParams,
        body: UpdateDnsRecord,
        errors: [
          'CONFLICT',
          'DNS_NOT_MANAGED',
          'DNS_RECORD_EXISTS',
          'DNS_RECORD_CONFLICT',
          'DNS_RECORD_LIMIT',
          'DNS_SERVER_UNAVAILABLE'
        ],
        response: { 200: DnsRecord }
      }
    },
    async (request) => {
      const { id, recordId } = request.params
      return changeDnsRecord(deps, request, sessionOf(request).userId, id, recordId, request.body)
    }
  )
  app.delete(
    '/api/domains/:id/dns/:recordId',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'deleteDnsRecord',
        summary: 'Delete a DNS record',
        description:
          "You can delete the verification record after the domain is verified, but not the zone's own NS records (409 DNS_RECORD_CONFLICT).",
        params: recordParams,
        errors: ['CONFLICT', 'DNS_NOT_MANAGED', 'DNS_RECORD_CONFLICT', 'DNS_RECORD_LIMIT', 'DNS_SERVER_UNAVAILABLE'],
        response: { 204: z.null() }
      }
    },
    async (request, reply) => {
      await removeDnsRecord(deps, request, sessionOf(request).userId, request.params.id, request.params.recordId)
      return reply.code(204).send(null)
    }
  )
  app.get(
    '/api/domains/:id/dns/export',
    {
      config: largeConfig,
      schema: {
        tags,
        operationId: 'exportZone',
        summary: 'Export the zone file',
        description:
          'In RFC 1035 format. For an apex domain, the whole zone including subdomains; for a domain in another zone, a zone of its name with ' +
          'its own records; for a wildcard, a zone of its parent name.',
        params,
        errors: ['CONFLICT', 'DNS_NOT_MANAGED'],
        answerHeaders: ['Content-Disposition'],
        response: { 200: { content: { 'text/plain': { schema: z.string() } } } }
      }
    },
    async (request, reply) => {
      const { fileName, text } = await exportZone(deps, sessionOf(request).userId, request.params.id)
      return reply
        .type('text/plain; charset=utf-8')
        .header('Content-Disposition', `attachment; filename="${fileName}"`)
        .send(text)
    }
  )
  app.post(
    '/api/domains/:id/dns/import',
    {
      config: changeConfig,
      bodyLimit: importBodyLimit,
      schema: {
        tags,
        operationId: 'importZone',
        summary: 'Import a zone file',
        description:
          'RFC 1035 format, up to 1 MiB. `errors` lists lines that cannot be imported, up to a limit, including those that exceed the zone ' +
          'limits; the rest is imported. `skipped` lists lines that need no import: existing records, conflicts that keep the existing record, ' +
          'DNSSEC records and other name servers at the apex. The SOA is ignored. One import at a time per account (409 CONFLICT).',
        params,
        body: ImportZone,
        errors: ['CONFLICT', 'DNS_NOT_MANAGED', 'DNS_RECORD_LIMIT', 'DNS_SERVER_UNAVAILABLE'],
        response: { 200: ImportResult }
      }
    },
    async (request, reply) => {
      const { userId } = sessionOf(request)
      const { preview, records, skipped, errors } = await importZone(
        deps,
        request,
        userId,
        request.params.id,
        request.body
      )
      return sendJson(
        reply,
        withMember({ preview, importedCount: records.count, skipped, errors }, 'records', records.json)
      )
    }
  )
  app.post(
    '/api/domains/:id/dns/:recordId/propagation',
    {
      config: changeConfig,
      schema: {
        tags,
        operationId: 'checkPropagation',
        summary: 'Check propagation of a DNS record',
        description:
          'Queries every resolver in DNS_RESOLVERS. MATCH: the record is among the answers. MISMATCH: only other records are. NOT_FOUND: no ' +
          'answer, or the query failed (`error`). For a wildcard, `panel-probe` below it is queried.',
        params: recordParams,
        errors: ['CONFLICT', 'DNS_NOT_MANAGED'],
        response: { 200: DnsPropagation }
      }
    },
    async (request) => checkPropagation(deps, sessionOf(request).userId, request.params.id, request.params.recordId)
  )
}
