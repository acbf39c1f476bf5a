import { z } from 'zod'
import { Id, SkippedLine, Timestamp, wellFormed, sentencesOf } from './common.ts'
import { zoneLineTexts } from './zone-line-texts.ts'

const valueForms = {
  A: 'an IPv4 address',
  AAAA: 'an IPv6 address',
  CNAME: 'a hostname',
  MX: 'a hostname, or `.` for no mail',
  TXT: 'the plain text; quoted and split automatically',
  NS: 'a hostname',
  SRV: 'a hostname, or `.` for no service',
  CAA: '`0 issue "ca.example.net"`',
  PTR: 'a hostname',
  SSHFP: 'algorithm, type and fingerprint: `4 2 <64 hexadecimal digits>`',
  TLSA: 'usage, selector, matching type and data: `3 1 1 <64 hexadecimal digits>`',
  SVCB: 'a hostname or `.`, then parameters where the priority is not 0: `svc.example.net alpn=h2 port=8443`',
  HTTPS: 'like SVCB: `. alpn=h2,h3 ipv4hint=192.0.2.1`',
  NAPTR:
    'order, preference, flags, services, regular expression and replacement: `100 10 "S" "SIP+D2U" "" _sip._udp.example.net`'
}

export type DnsRecordType = keyof typeof valueForms
export const dnsRecordTypes = Object.keys(valueForms) as [DnsRecordType, ...DnsRecordType[]]
export const DnsRecordType = z.enum(dnsRecordTypes)

export const defaultTtl = 3600
export const maxTxtCharacters = 2048
/** Per zone, across domains: more than anyone maintains by hand, and few enough to render and load at once. */
export const maxDnsRecords = 10_000
/** The name server keeps all of it in memory, and changes in a journal shared by all zones. 32 bytes per record. */
export const maxZoneBytes = 4 * 1024 * 1024

const uint16 = z.int().min(0).max(65_535)

const fields = {
  name: wellFormed(z.string().min(1).max(255)).meta({
    description:
      'Relative to the domain: `@`, `www`, `*.dev`; up to 32 labels. A name that ends with the domain itself works too.'
  }),
  value: wellFormed(z.string().max(4096)).meta({
    description:
      'By type, in the form of zone files but for names, which have no dot at the end (one label alone is taken as relative to the ' +
      `domain, \`@\` is the domain): ${Object.entries(valueForms)
        .map(([type, form]) => `${type}: ${form}`)
        .join('; ')}.`
  }),
  ttl: z.int().min(0).max(2_147_483_647).meta({
    description: 'Seconds. All records of one name and type share it: a change applies to all of them (RFC 2181 §5.2).'
  }),
  priority: uint16
    .nullish()
    .meta({ description: 'Required for MX, SRV, SVCB and HTTPS. 0 makes SVCB and HTTPS an alias.' }),
  weight: uint16.nullish().meta({ description: 'Required for SRV.' }),
  port: uint16.nullish().meta({ description: 'Required for SRV, 1 to 65535.' })
}

export const CreateDnsRecord = z.object({ type: DnsRecordType, ...fields, ttl: fields.ttl.default(defaultTtl) })
export type CreateDnsRecord = z.infer<typeof CreateDnsRecord>

export const UpdateDnsRecord = z.object(fields).partial()
export type UpdateDnsRecord = z.infer<typeof UpdateDnsRecord>

const recordManagers = ['VERIFICATION', 'NAME_SERVER'] as const
export const DnsRecordManager = z.enum(recordManagers)
export type DnsRecordManager = z.infer<typeof DnsRecordManager>

export const DnsRecord = z
  .object({
    id: Id,
    domainId: Id,
    type: DnsRecordType,
    name: z.string().meta({ description: 'Relative to the domain; the full hostname for the verification record.' }),
    value: z.string(),
    ttl: z.int(),
    priority: z.int().nullable(),
    weight: z.int().nullable(),
    port: z.int().nullable(),
    managedBy: DnsRecordManager.nullable().meta({
      description:
        'Null: yours. VERIFICATION: proves that the domain is yours; read-only. NAME_SERVER: a name server of this server in its own zone; ' +
        'read-only.'
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'DnsRecord' })
export type DnsRecord = z.infer<typeof DnsRecord>

/** Lists all records if both are omitted. */
export const DnsRecordQuery = z.object({
  page: z.coerce.number().int().min(1).max(10_000).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).optional().meta({ description: 'Page size; default 100.' })
})

const importStrategies = ['skip', 'replace'] as const
export const ZoneImportStrategy = z.enum(importStrategies)
export type ZoneImportStrategy = z.infer<typeof ZoneImportStrategy>
export const maxZoneFileBytes = 1024 * 1024

export const ImportZone = z.object({
  zoneContent: wellFormed(z.string().max(maxZoneFileBytes)).meta({
    description: 'RFC 1035 zone file, without $INCLUDE and $GENERATE.'
  }),
  strategy: ZoneImportStrategy.meta({
    description:
      '`skip` adds missing records, also next to records with the same name and type, whose TTL they take, and changes nothing else. ' +
      '`replace` replaces your records of a name and type with those in the file, including records that conflict with them (at a CNAME, ' +
      'at a delegation); records not in the file stay.'
  }),
  dryRun: z.boolean().default(false).meta({ description: 'Only returns a `preview`; changes nothing.' })
})
export type ImportZone = z.infer<typeof ImportZone>

const previewed = z.object({
  type: DnsRecordType,
  name: z.string(),
  value: z.string(),
  ttl: z.int(),
  priority: z.int().nullable(),
  weight: z.int().nullable(),
  port: z.int().nullable()
})

const ZoneLine = SkippedLine.extend({ sentences: sentencesOf('ZoneLineCode', zoneLineTexts) }).meta({ id: 'ZoneLine' })
export type ZoneLine = z.infer<typeof ZoneLine>

export const ImportPreview = z
  .object({
    added: z.array(previewed.extend({ line: z.int() })).meta({ description: 'The first 1,000.' }),
    removed: z.array(previewed).meta({ description: 'Your records that are replaced (`replace`). The first 1,000.' }),
    same: z.array(ZoneLine).meta({ description: 'Records that already exist. The first 1,000.' }),
    conflicts: z.array(ZoneLine).meta({
      description: 'Records that conflict with yours, which stay (`skip`). The first 1,000.'
    }),
    refused: z.array(ZoneLine).meta({
      description: 'Records that cannot be imported or that the panel manages. The first 1,000.'
    }),
    counts: z.object({
      added: z.int(),
      removed: z.int(),
      same: z.int(),
      conflicts: z.int(),
      refused: z.int()
    })
  })
  .meta({ id: 'ImportPreview' })
export type ImportPreview = z.infer<typeof ImportPreview>

export const ImportResult = z
  .object({
    preview: ImportPreview.nullable().meta({ description: 'Only with `dryRun`.' }),
    importedCount: z.int(),
    records: z.array(DnsRecord).meta({ description: 'The imported records.' }),
    skipped: z.array(ZoneLine).meta({
      description:
        'Valid lines that were not needed: the record already exists, yours stays (`skip`), or the panel manages it. The first 1,000.'
    }),
    errors: z.array(z.string()).meta({ description: 'One per line that could not be imported: `line 3: why`.' })
  })
  .meta({ id: 'ImportResult' })
export type ImportResult = z.infer<typeof ImportResult>

const propagationStatuses = ['MATCH', 'MISMATCH', 'NOT_FOUND'] as const
export const PropagationStatus = z.enum(propagationStatuses)
export type PropagationStatus = z.infer<typeof PropagationStatus>

export const DnsPropagation = z
  .object({
    recordId: Id,
    type: DnsRecordType,
    name: z.string().meta({ description: 'The queried name.' }),
    expected: z.string(),
    resolvers: z.array(
      z.object({
        resolver: z.string(),
        status: PropagationStatus,
        latencyMs: z.int(),
        detectedRecords: z.array(z.string()),
        error: z.string().nullable()
      })
    )
  })
  .meta({ id: 'DnsPropagation' })
export type DnsPropagation = z.infer<typeof DnsPropagation>

export const SetDnssec = z.object({
  enabled: z.boolean(),
  force: z.boolean().default(false).meta({
    description:
      'Disable signing although the parent zone still has a DS record: validating resolvers will not resolve the domain.'
  })
})
export type SetDnssec = z.infer<typeof SetDnssec>

export const dnssecTexts = {
  OFF: 'Not signed',
  OTHER_KEYS:
    'The parent zone has a DS record for other keys, so validating resolvers cannot resolve this domain: remove it at the registrar, ' +
    'or sign this zone and set its DS record there',
  BEING_SIGNED: 'The zone is being signed; check again in a moment',
  DS_UNKNOWN: 'Signed. No resolver confirmed whether the DS record is set at the registrar',
  DS_MISSING: 'Signed. Now set the DS record at the registrar; without it DNSSEC has no effect',
  COMPLETE: 'Signed, and the parent zone has its DS record',
  DS_WRONG:
    'The DS record in the parent zone does not match this zone (found {{found}}), so validating resolvers cannot resolve the domain. ' +
    'Replace it at the registrar with {{wanted}}'
} as const
export type DnssecCode = keyof typeof dnssecTexts

export const Dnssec = z
  .object({
    enabled: z.boolean(),
    dsRecords: z
      .array(
        z.object({
          keyTag: z.int(),
          algorithm: z.int(),
          digestType: z.int(),
          digest: z.string(),
          text: z.string().meta({ description: 'In the format registrars accept: `12345 13 2 <digest>`.' })
        })
      )
      .meta({ description: 'Set these at the registrar after you enable signing. Empty until the zone is signed.' }),
    dsAtParent: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the parent zone has a DS record; null if no resolver responds.' }),
    message: z.string().meta({ description: 'The next step.' }),
    sentences: sentencesOf('DnssecCode', dnssecTexts)
  })
  .meta({ id: 'Dnssec' })
export type Dnssec = z.infer<typeof Dnssec>
