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
// Changes of an account's zones have a queue of their own (accountTransaction), and then wait for the name server.
const changeConfig = { ...config, admission: 'apart' } as const
const largeConfig = { ...config, admission: 'large' } as const
const tags = ['DNS records']
const params = z.object({ id: Id })
const recordParams = z.object({ id: Id, recordId: Id })
// A zone file of 1 MiB, each of whose characters JSON may write as six.
const importBodyLimit = 8 * 1024 * 1024

export function dnsRecordRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/domains/:id/dns',
    {
      config: { ...largeConfig, compressed: true },
      schema: {
        tags,
        operationId: 'listDnsRecords',
        summary: 'List the records of a domain',
        description:
          'The apex first, then name by name as DNS sorts them, then by type; the record that proves the ownership is last. All of them, or ' +
          'with `page` or `limit` a page, with `Link` to the others; `X-Total-Count` says how many there are. As all of ' +
          'these operations: 409 DNS_NOT_MANAGED where the DNS of the domain is managed elsewhere.',
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
        summary: 'Create a record',
        description:
          'When it answers, the name servers do too; where they are away, as soon as they are back. The TTL is set for all records of ' +
          'this name and type. 409 DNS_RECORD_EXISTS: the zone has this record already, whatever its TTL; DNS_RECORD_CONFLICT: it cannot ' +
          'stand beside another one of the zone; DNS_RECORD_LIMIT: the zone, with all domains in it, has 10,000 ' +
          'records, or 4 MiB of names and values with 32 bytes for each record.',
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
        summary: 'Which of the default records are missing',
        description:
          'What POST would create just now (`added`), what is there of a name and type (`same`), and what stands against others (`refused`).',
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
        summary: 'Create the default records that are missing',
        description:
          'The A record of `@`, the CNAME of `www`, and the NS records of a zone. A record of the same name and type counts, whatever its ' +
          'value, and nothing is created that cannot stand beside what is there.',
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
        summary: 'Change a record',
        description:
          'Members that are not given stay. The type does not change. A record that moves to another name without a TTL takes the TTL of ' +
          'the records that are there. The record that proves the ownership does not change (409 DNS_RECORD_CONFLICT).',
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
        summary: 'Delete a record',
        description:
          'Also the one that proves the ownership, once the domain is verified; not the name servers of the zone itself (409 DNS_RECORD_CONFLICT).',
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
        summary: 'Download the zone file',
        description:
          'RFC 1035. Of a domain with a zone of its own, everything in it, also the records of domains below; of a domain in the zone of ' +
          'another one, a zone of its own name with its own records; of a wildcard, a zone of the name that it stands below.',
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
          'Up to 1 MiB, in the form that export has. What cannot be imported is told in `errors`, line by line up to a bound, and the rest is ' +
          'imported; so it is with what the zone has no room for. What need not be is told in `skipped`: what is there already, what stays ' +
          'as it is, DNSSEC and other name servers of the zone itself. The SOA is left out. One import at a time per account (409 CONFLICT).',
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
        summary: 'What public resolvers see of a record',
        description:
          'Asks every resolver of DNS_RESOLVERS: MATCH when the record is among the answers, MISMATCH when others are, NOT_FOUND when ' +
          'there is none, also because the resolver fails (`error`). For a wildcard, `panel-probe` below it is asked for.',
        params: recordParams,
        errors: ['CONFLICT', 'DNS_NOT_MANAGED'],
        response: { 200: DnsPropagation }
      }
    },
    async (request) => checkPropagation(deps, sessionOf(request).userId, request.params.id, request.params.recordId)
  )
}
