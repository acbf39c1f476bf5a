import { z } from 'zod'
import { Id, SkippedLine, Timestamp, wellFormed, sentencesOf } from './common.ts'
import { zoneLineTexts } from './zone-line-texts.ts'

/** The types, and how the value of each is written: what the API describes. */
const valueForms = {
  A: 'an IPv4 address',
  AAAA: 'an IPv6 address',
  CNAME: 'a host name',
  MX: 'a host name, or `.` for no mail',
  TXT: 'the plain text, which is quoted and split for you',
  NS: 'a host name',
  SRV: 'a host name, or `.` for no service',
  CAA: '`0 issue "ca.example.net"`',
  PTR: 'a host name',
  SSHFP: 'algorithm, type and fingerprint: `4 2 <64 hexadecimal digits>`',
  TLSA: 'usage, selector, matching type and data: `3 1 1 <64 hexadecimal digits>`',
  SVCB: 'a host name or `.`, then parameters where the priority is not 0: `svc.example.net alpn=h2 port=8443`',
  HTTPS: 'the same: `. alpn=h2,h3 ipv4hint=192.0.2.1`',
  NAPTR:
    'order, preference, flags, services, regular expression and replacement: `100 10 "S" "SIP+D2U" "" _sip._udp.example.net`'
}

export type DnsRecordType = keyof typeof valueForms
export const dnsRecordTypes = Object.keys(valueForms) as [DnsRecordType, ...DnsRecordType[]]
export const DnsRecordType = z.enum(dnsRecordTypes)

export const defaultTtl = 3600
export const maxTxtCharacters = 2048
/** Of one zone, whichever domains they belong to: more than anybody keeps by hand, and few enough to render and load at once. */
export const maxDnsRecords = 10_000
/**
 * Of the names and values of one zone in UTF-8, and 32 for each record. A zone file may have four characters for a byte, and the name
 * server keeps all of it in memory and the changes in a journal that all zones share.
 */
export const maxZoneBytes = 4 * 1024 * 1024

const uint16 = z.int().min(0).max(65_535)

const fields = {
  name: wellFormed(z.string().min(1).max(255)).meta({
    description:
      'Relative to the domain: `@`, `www`, `*.dev`; at most 32 labels. A name that ends with the domain itself is understood too.'
  }),
  value: wellFormed(z.string().max(4096)).meta({
    description:
      'By type, in the form of zone files but for names, which have no dot at the end (one label alone is taken as relative to the ' +
      `domain, \`@\` is the domain): ${Object.entries(valueForms)
        .map(([type, form]) => `${type}: ${form}`)
        .join('; ')}.`
  }),
  ttl: z.int().min(0).max(2_147_483_647).meta({
    description: 'Seconds. The records of one name and type share it: a change sets it for all of them (RFC 2181 §5.2).'
  }),
  priority: uint16
    .nullish()
    .meta({ description: 'MX, SRV, SVCB and HTTPS: required. 0 makes SVCB and HTTPS an alias.' }),
  weight: uint16.nullish().meta({ description: 'SRV: required.' }),
  port: uint16.nullish().meta({ description: 'SRV: required, 1 to 65535.' })
}

export const CreateDnsRecord = z.object({ type: DnsRecordType, ...fields, ttl: fields.ttl.default(defaultTtl) })
export type CreateDnsRecord = z.infer<typeof CreateDnsRecord>

/** The type of a record does not change. */
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
    name: z.string().meta({ description: 'Relative to the domain; of the verification record, the full host name.' }),
    value: z.string(),
    ttl: z.int(),
    priority: z.int().nullable(),
    weight: z.int().nullable(),
    port: z.int().nullable(),
    managedBy: DnsRecordManager.nullable().meta({
      description:
        'Null: yours. VERIFICATION: it proves that the domain is yours, and is not changed. NAME_SERVER: a name server of this server in a zone of its own, and stays.'
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'DnsRecord' })
export type DnsRecord = z.infer<typeof DnsRecord>

/** Without both, all records are listed. */
export const DnsRecordQuery = z.object({
  page: z.coerce.number().int().min(1).max(10_000).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).optional().meta({ description: 'Of a page; default 100.' })
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
      '`skip` adds what is not there, also beside records of the same name and type, whose TTL it takes, and changes nothing else. ' +
      '`replace` puts the file’s records of a name and type in the place of yours, also in the place of what cannot stand beside them (at a ' +
      'CNAME, at a delegation); what the file does not mention stays.'
  }),
  dryRun: z.boolean().default(false).meta({ description: 'Says in `preview` what would be, and changes nothing.' })
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
    removed: z.array(previewed).meta({ description: 'Yours that make place (`replace`). The first 1,000.' }),
    same: z.array(ZoneLine).meta({ description: 'What is there already. The first 1,000.' }),
    conflicts: z.array(ZoneLine).meta({
      description: 'What cannot stand beside yours, which stays (`skip`). The first 1,000.'
    }),
    refused: z.array(ZoneLine).meta({
      description: 'What cannot be imported, or is the panel’s own to make. The first 1,000.'
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
    preview: ImportPreview.nullable().meta({ description: 'With `dryRun` alone.' }),
    importedCount: z.int(),
    records: z.array(DnsRecord).meta({ description: 'The records that were imported.' }),
    skipped: z.array(ZoneLine).meta({
      description:
        'Lines that are right and were not needed: the record is there already, yours stays in its place (`skip`), or it is the panel’s ' +
        'own to make. The first 1,000.'
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
    name: z.string().meta({ description: 'The full name that was asked for.' }),
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
      'Switch off although the parent zone still has a DS record: resolvers that validate will not find the domain.'
  })
})
export type SetDnssec = z.infer<typeof SetDnssec>

/** What is to be done next about the signing of a zone. */
export const dnssecTexts = {
  OFF: 'Not signed',
  OTHER_KEYS:
    'The parent zone has a DS record of other keys: validating resolvers do not find this domain until it is removed at the registrar, or this zone is signed and its DS set there',
  BEING_SIGNED: 'The zone is being signed; ask again in a moment',
  DS_UNKNOWN: 'Signed. No resolver says whether the DS record is set at the registrar',
  DS_MISSING: 'Signed. Add the DS record at your registrar; without it, resolvers do not validate',
  COMPLETE: 'Signed, and the parent zone has its DS record',
  DS_WRONG:
    'The parent zone has a DS record, but none of this zone (found {{found}}): validating resolvers cannot find the domain. Replace it at the registrar by {{wanted}}'
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
          text: z.string().meta({ description: 'As a registrar takes it: `12345 13 2 <digest>`.' })
        })
      )
      .meta({ description: 'To be set at the registrar, after signing is on. Empty until the zone is signed.' }),
    dsAtParent: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the parent zone has a DS record; null where no resolver answers.' }),
    message: z.string().meta({ description: 'The next step.' }),
    sentences: sentencesOf('DnssecCode', dnssecTexts)
  })
  .meta({ id: 'Dnssec' })
export type Dnssec = z.infer<typeof Dnssec>
