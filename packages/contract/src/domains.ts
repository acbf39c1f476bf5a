import { z } from 'zod'
import { CertificateStatus } from './certificates.ts'
import { Id, pageQuery, sentencesOf, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'
import { delegationTexts, verificationTexts } from './domain-texts.ts'

export const domainStatuses = ['PENDING', 'ACTIVE', 'ERROR'] as const
export const DomainStatus = z.enum(domainStatuses).meta({
  description: 'PENDING: not verified yet. ACTIVE: verified and routed. ERROR: the last check failed.'
})
export type DomainStatus = z.infer<typeof DomainStatus>

export const dnsModes = ['CONNECTED', 'MANAGED'] as const
export const DnsMode = z.enum(dnsModes).meta({
  description: 'CONNECTED: its DNS is kept elsewhere and leads here. MANAGED: this server has its zone.'
})
export type DnsMode = z.infer<typeof DnsMode>

/**
 * `/app`, `/app/v2`: absolute, no slash at the end, segments of unreserved characters (RFC 3986 §2.3) and none of them `.` or `..`,
 * so that the proxy, which compares the raw path, and the site see the same thing.
 */
export const PathPrefix = z
  .string()
  .max(255)
  .regex(/^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/, words.PATH_PREFIX)

export const Domain = z
  .object({
    id: Id,
    hostname: z
      .string()
      .meta({ description: 'A full host name, or `*.<parent>`; internationalized names as A-labels.' }),
    status: DomainStatus,
    sslEnabled: z.boolean().meta({ description: 'Whether a certificate of its own is served for it.' }),
    certificate: z
      .object({ status: CertificateStatus, validTo: Timestamp.nullable() })
      .nullable()
      .meta({ description: 'Its own, also while it is ordered or could not be had; more of it in GET …/ssl.' }),
    verificationToken: z.string().nullable().meta({
      description: '`panel-verify-<32 hex characters>`; null where a verified parent has proved the ownership.'
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
    recordName: z.string().meta({ description: '`_panel-challenge.<hostname>`; of a wildcard, that of its parent.' }),
    recordValue: z.string().meta({ description: '`panel-verification=<token>`.' }),
    routingRecord: z.object({ recordType: z.literal('A'), recordName: z.string(), publicIp: z.string() })
  })
  .meta({ id: 'VerificationInstructions' })
export type VerificationInstructions = z.infer<typeof VerificationInstructions>

export const CreatedDomain = Domain.extend({
  verificationInstructions: VerificationInstructions.nullable().meta({
    description:
      'The TXT record proves ownership, the A record routes traffic. Null once the domain is ACTIVE, or where a verified parent proves ' +
      'the ownership.'
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
        'In any case and script: it is answered as it is kept, in lower case and with `xn--…` for what is not ASCII. `*.example.com` is a wildcard. Several ' +
        'accounts may ask for one name; the first that proves it has it.'
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
  search: singleLine(253).optional()
})
export type DomainQuery = z.infer<typeof DomainQuery>

export const SubdomainQuery = z.object(pageQuery(20, 100))
export type SubdomainQuery = z.infer<typeof SubdomainQuery>

export const DomainList = z.array(Domain).meta({
  description:
    'The page; `X-Total-Count` has the number of all, `Link` the addresses of the next and the previous page.'
})

export const DetectedRecordType = z.enum(['TXT', 'A'])
export type DetectedRecordType = z.infer<typeof DetectedRecordType>

/** What one resolver said about one name. */
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
    .meta({ description: 'Heeded only with NODE_ENV=test or PANEL_MOCK_DNS=true.' }),
  mock: z.enum(['true', 'false']).optional().meta({ description: 'As mockRecord.' })
})
export type VerifyQuery = z.infer<typeof VerifyQuery>

export const VerifyResult = z
  .object({
    verified: z.boolean(),
    status: DomainStatus,
    message: z.string().meta({ description: 'What to change, where it is not verified.' }),
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
    description: 'Switch to MANAGED although the parent zone does not name our name servers yet.'
  }),
  force: z.boolean().default(false).meta({
    description:
      'Leave MANAGED although the parent zone still has a DS record: resolvers that validate will not find the domain.'
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
    message: z.string().meta({ description: 'What is found, and what to change.' }),
    sentences: sentencesOf('DelegationCode', delegationTexts)
  })
  .meta({ id: 'DelegationCheck' })
export type DelegationCheck = z.infer<typeof DelegationCheck>
