import { z } from 'zod'
import { CertificateStatus } from './certificates.ts'
import { Id, pageQuery, sentencesOf, singleLine, Timestamp, listOrder } from './common.ts'
import { words } from './details.ts'
import { delegationTexts, verificationTexts } from './domain-texts.ts'

export const domainStatuses = ['PENDING', 'ACTIVE', 'ERROR'] as const
export const DomainStatus = z.enum(domainStatuses).meta({
  description:
    'PENDING: ownership is not verified yet. ACTIVE: verified and routed. ERROR: the last check did not find the verification record.'
})
export type DomainStatus = z.infer<typeof DomainStatus>

export const dnsModes = ['CONNECTED', 'MANAGED'] as const
export const DnsMode = z.enum(dnsModes).meta({
  description: 'CONNECTED: DNS is hosted elsewhere and points here. MANAGED: this server hosts the zone.'
})
export type DnsMode = z.infer<typeof DnsMode>

/** RFC 3986 §2.3, without `.` and `..` segments: the proxy compares the raw path and must agree with the site. */
export const PathPrefix = z
  .string()
  .max(255)
  .regex(/^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/, words.PATH_PREFIX)

export const Domain = z
  .object({
    id: Id,
    hostname: z
      .string()
      .meta({ description: 'A full hostname, or `*.<parent>`; internationalized names as A-labels.' }),
    status: DomainStatus,
    sslEnabled: z.boolean().meta({ description: 'Whether it is served with its own certificate.' }),
    certificate: z.object({ status: CertificateStatus, validTo: Timestamp.nullable() }).nullable().meta({
      description: 'Its own certificate, also while it is ordered or if the order failed; see GET …/ssl for details.'
    }),
    verificationToken: z.string().nullable().meta({
      description: '`panel-verify-<32 hex characters>`; null if verified through a parent domain.'
    }),
    projectId: Id.nullable(),
    parentId: Id.nullable(),
    pathPrefix: z.string().nullable(),
    isWildcard: z.boolean(),
    dnsMode: DnsMode,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'Domain' })
export type Domain = z.infer<typeof Domain>

export const VerificationInstructions = z
  .object({
    recordType: z.literal('TXT'),
    recordName: z.string().meta({ description: '`_panel-challenge.<hostname>`; for a wildcard, that of its parent.' }),
    recordValue: z.string().meta({ description: '`panel-verification=<token>`.' }),
    routingRecord: z.object({ recordType: z.literal('A'), recordName: z.string(), publicIp: z.string() })
  })
  .meta({ id: 'VerificationInstructions' })
export type VerificationInstructions = z.infer<typeof VerificationInstructions>

export const CreatedDomain = Domain.extend({
  verificationInstructions: VerificationInstructions.nullable().meta({
    description:
      'The TXT record proves ownership, the A record routes traffic. Null once the domain is ACTIVE, or if a verified parent proves ' +
      'ownership.'
  })
}).meta({ id: 'CreatedDomain' })
export type CreatedDomain = z.infer<typeof CreatedDomain>

export const CreateDomain = z.object({
  hostname: z
    .string()
    .min(1)
    .max(500)
    .meta({
      description:
        'In any case and script; stored and returned in lower case, with `xn--…` for non-ASCII labels. `*.example.com` is a wildcard. ' +
        'Several accounts may claim a name; the first to verify it gets it.'
    }),
  projectId: Id.nullish(),
  parentId: Id.nullish(),
  pathPrefix: PathPrefix.nullish()
})
export type CreateDomain = z.infer<typeof CreateDomain>

export const UpdateDomain = z.object({ projectId: Id.nullish(), pathPrefix: PathPrefix.nullish() })
export type UpdateDomain = z.infer<typeof UpdateDomain>

export const DomainQuery = z.object({
  ...pageQuery(20, 100),
  projectId: Id.optional(),
  status: DomainStatus.optional(),
  search: singleLine(253).optional(),
  order: listOrder('created')
})
export type DomainQuery = z.infer<typeof DomainQuery>

export const SubdomainQuery = z.object(pageQuery(20, 100))
export type SubdomainQuery = z.infer<typeof SubdomainQuery>

export const DomainList = z.array(Domain).meta({
  description: 'One page; `X-Total-Count` has the total, `Link` the URLs of the next and previous page.'
})

export const DetectedRecordType = z.enum(['TXT', 'A'])
export type DetectedRecordType = z.infer<typeof DetectedRecordType>

export const DetectedRecord = z
  .object({
    resolver: z.string(),
    recordType: DetectedRecordType,
    recordName: z.string(),
    values: z.array(z.string()),
    error: z.string().nullable().meta({ description: 'Why there is no answer, such as NXDOMAIN or TIMEOUT.' })
  })
  .meta({ id: 'DetectedRecord' })
export type DetectedRecord = z.infer<typeof DetectedRecord>

export const VerifyQuery = z.object({
  mockRecord: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'Only used with NODE_ENV=test or PANEL_MOCK_DNS=true.' }),
  mock: z.enum(['true', 'false']).optional().meta({ description: 'As mockRecord.' })
})
export type VerifyQuery = z.infer<typeof VerifyQuery>

export const VerifyResult = z
  .object({
    verified: z.boolean(),
    status: DomainStatus,
    message: z.string().meta({ description: 'If not verified: what to change.' }),
    sentences: sentencesOf('VerificationCode', verificationTexts),
    expectedRecord: z
      .object({ recordType: z.literal('TXT'), recordName: z.string(), recordValue: z.string() })
      .nullable(),
    detectedRecords: z.array(DetectedRecord)
  })
  .meta({ id: 'VerifyResult' })
export type VerifyResult = z.infer<typeof VerifyResult>

export const ChangeDnsMode = z.object({
  mode: DnsMode,
  skipDelegationCheck: z.boolean().default(false).meta({
    description: 'Switch to MANAGED although the parent zone does not list our name servers yet.'
  }),
  force: z.boolean().default(false).meta({
    description:
      'Leave MANAGED although the parent zone still has a DS record: validating resolvers will not resolve the domain.'
  })
})
export type ChangeDnsMode = z.infer<typeof ChangeDnsMode>

export const DelegationCheck = z
  .object({
    delegated: z.boolean(),
    expectedNameservers: z.array(z.string()),
    resolvers: z.array(
      z.object({
        resolver: z.string(),
        nameservers: z.array(z.string()),
        matches: z.boolean(),
        error: z.string().nullable()
      })
    ),
    message: z.string().meta({ description: 'The result, and what to change.' }),
    sentences: sentencesOf('DelegationCode', delegationTexts)
  })
  .meta({ id: 'DelegationCheck' })
export type DelegationCheck = z.infer<typeof DelegationCheck>
